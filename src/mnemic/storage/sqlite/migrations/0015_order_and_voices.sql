-- Of equal values in a list, the order in which they were made decides: an index of items ends with
-- their number by itself.
drop index item_of_account;
drop index item_by_creation;
drop index item_by_update;
drop index item_by_importance;
drop index item_by_confidence;
drop index edge_by_time;
create index item_of_account on item (account_id, created_at);
create index item_by_creation on item (scope_id, created_at);
create index item_by_update on item (scope_id, updated_at);
create index item_by_importance on item (scope_id, importance);
create index item_by_most_importance on item (scope_id, importance desc);
create index item_by_confidence on item (scope_id, confidence);
create index item_by_most_confidence on item (scope_id, confidence desc);
create index edge_by_time on edge (created_at) where uid is not null;

drop view current_scope_state;
-- As before, with the number by which scopes were made.
create view current_scope_state as
select s.account_id, s.id as scope_id, s.kind as scope_kind, s.name as scope_name,
       t.revision, t.last_floor, t.compacted_at, t.updated_at, q.worker, q.lease_until
  from scope_state t
  join scope s on s.id = t.scope_id
  left join job_queue q on q.account_id = s.account_id and q.scope_id = s.id
                       and q.lease_until is not null;

-- The voice of a card, and the one that tells what happens.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(sql, '''assistant'', ''system'', ''tool''))',
                          '''assistant'', ''system'', ''tool'', ''char'', ''narrator''))')
 where type = 'table' and name = 'message';
pragma writable_schema = reset;

-- When a version was said, where that is not when it came: null where both are one.
alter table version add column occurred_at integer;

-- Since when a person keeps an item as it is, and when a person last said whether it is in use. Of
-- older changes only `updated_at` is known.
alter table item add column edited_at integer;
alter table item add column decided_at integer;

-- Terms that were kept with their accents are made anew, so that "cafe" finds what says "café": of
-- what holds a letter beyond those of English in Latin, Greek or Cyrillic.
alter table document add column unfolded integer;
update document set unfolded = 1
 where live = 1 and head is null
   and (doc in (select m.doc from memory m
                 where m.content || m.context
                       glob '*[' || char(192) || '-' || char(1327) || char(7680) || '-' || char(8191) || ']*')
        or doc in (select p.doc from passage p
                     join message l on l.turn_id = p.turn_id and l.version = p.version
                                   and l.position = p.position
                    where l.content || coalesce(l.name, '')
                          glob '*[' || char(192) || '-' || char(1327) || char(7680) || '-' || char(8191) || ']*'));
