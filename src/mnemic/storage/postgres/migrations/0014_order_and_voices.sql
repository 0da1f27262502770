-- Of equal values in a list, the order in which they were made decides.
drop index item_of_account;
drop index item_by_creation;
drop index item_by_update;
drop index item_by_importance;
drop index item_by_confidence;
drop index edge_by_time;
create index item_of_account on item (account_id, created_at, memory_id);
create index item_by_creation on item (account_id, scope_id, created_at, memory_id);
create index item_by_update on item (account_id, scope_id, updated_at, memory_id);
create index item_by_importance on item (account_id, scope_id, importance, memory_id);
create index item_by_most_importance on item (account_id, scope_id, importance desc, memory_id);
create index item_by_confidence on item (account_id, scope_id, confidence, memory_id);
create index item_by_most_confidence on item (account_id, scope_id, confidence desc, memory_id);
create index edge_by_time on edge (account_id, created_at, id) where uid is not null;

drop view current_scope_state;
-- As before, with the number by which scopes were made.
create view current_scope_state with (security_invoker = true) as
select s.account_id, s.id as scope_id, s.kind as scope_kind, s.name as scope_name,
       t.revision, t.last_floor, t.compacted_at, t.updated_at, q.worker, q.lease_until
  from scope_state t
  join scope s on s.account_id = t.account_id and s.id = t.scope_id
  left join job_queue q on q.account_id = s.account_id and q.scope_id = s.id
                       and q.lease_until is not null;

-- The voice of a card, and the one that tells what happens.
alter table message drop constraint message_role_check;
alter table message add constraint message_role_check
    check (role in ('user', 'assistant', 'system', 'tool', 'char', 'narrator'));

-- When a version was said, where that is not when it came: null where both are one.
alter table version add column occurred_at bigint;

-- Since when a person keeps an item as it is, and when a person last said whether it is in use. Of
-- older changes only `updated_at` is known.
alter table item add column edited_at bigint;
alter table item add column decided_at bigint;

-- Terms that were kept with their accents are made anew, so that "cafe" finds what says "café": of
-- what holds a letter beyond those of English in Latin, Greek or Cyrillic.
alter table document add column unfolded boolean;
update document d set unfolded = true
 where d.live and d.head is null
   and (exists (select 1 from memory m
                 where m.account_id = d.account_id and m.doc = d.doc
                   and m.content || m.context::text ~ '[\u00c0-\u052f\u1e00-\u1fff]')
        or exists (select 1 from passage p
                     join message l on l.account_id = p.account_id and l.turn_id = p.turn_id
                                   and l.version = p.version and l.position = p.position
                    where p.account_id = d.account_id and p.doc = d.doc
                      and l.content || coalesce(l.name, '') ~ '[\u00c0-\u052f\u1e00-\u1fff]'));
