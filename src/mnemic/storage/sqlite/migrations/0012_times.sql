-- When something happened or was said, as opposed to when it was stored: null where both are one, so
-- that no old row has to be rewritten. Since when it is true no more and by which memory that is
-- known, and when it goes out of use by itself.
alter table memory add column occurred_at integer;
alter table memory add column valid_until integer;
alter table memory add column expires_at integer;
alter table memory add column superseded_by integer;

-- What is overdue is looked for at every read; hardly any memory ever expires.
create index memory_by_expiry on memory (scope_id, expires_at) where expires_at is not null;
create index memory_by_successor on memory (superseded_by) where superseded_by is not null;

drop view current_memory;
-- As before, with these times.
create view current_memory as
select m.id, m.doc, m.scope_id, s.account_id, s.kind as scope_kind, s.name as scope_name, m.kind, m.status,
       m.content, m.summary, m.category, m.protected, m.tags, m.scope_files, m.context,
       m.episode_id, m.perception_type, m.created_at, m.updated_at, m.accessed_at,
       m.access_count, m.status_reason, m.status_at,
       case when m.protected = 0 and m.confidence > 0.05
                 and s.decayed_at - m.accessed_at > 86400000000
            then max(0.05, m.confidence
                     * pow(1 - s.decay_rate, (s.decayed_at - m.accessed_at) / 86400000000.0))
            else m.confidence
       end as confidence,
       coalesce(m.occurred_at, m.created_at) as occurred_at, m.valid_until, m.expires_at,
       m.superseded_by
  from memory m
  join scope s on s.id = m.scope_id;
