-- name: activity_add
-- An operation takes the place of the first of the last twenty that was written: numbers tell that,
-- whatever the clock said.
insert into activity (scope_id, slot, number, action, kind, memory_id, at)
select :scope_id,
       case when n < 20 then n
            else (select slot from activity where scope_id = :scope_id order by number limit 1)
       end,
       last + 1, :action, :kind, :memory_id, :at
  from (select count(*) as n, coalesce(max(number), 0) as last
          from activity where scope_id = :scope_id)
 where true
on conflict (scope_id, slot) do update
   set number = excluded.number, action = excluded.action, kind = excluded.kind,
       memory_id = excluded.memory_id, at = excluded.at;

-- name: activity_recent
-- What a user did last, in the order in which it was written.
select action, kind, memory_id, at from activity
 where scope_id = :scope_id order by number;

-- name: usage_add
-- One more operation in an hour.
insert into usage (scope_id, hour, operations) values (:scope_id, :hour, 1)
on conflict (scope_id, hour) do update set operations = operations + 1;

-- name: usage_since
-- How often a user did anything, hour by hour.
select hour, operations from usage where scope_id = :scope_id and hour >= :since order by hour;
