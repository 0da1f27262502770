-- name: activity_add
-- An operation takes the place of the first of the last twenty that was written: numbers tell that,
-- whatever the clock said.
insert into activity (account_id, scope_id, slot, number, action, kind, memory_id, at)
select %(account_id)s::bigint, %(scope_id)s::bigint,
       case when n < 20 then n
            else (select slot from activity
                   where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
                   order by number limit 1)
       end,
       last + 1, %(action)s, %(kind)s, %(memory_id)s::bigint, %(at)s::bigint
  from (select count(*) as n, coalesce(max(number), 0) as last from activity
         where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint) known
on conflict (account_id, scope_id, slot) do update
   set number = excluded.number, action = excluded.action, kind = excluded.kind,
       memory_id = excluded.memory_id, at = excluded.at;

-- name: activity_recent
-- What a user did last, in the order in which it was written.
select action, kind, memory_id, at from activity
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
 order by number;

-- name: usage_add
-- One more operation in an hour.
insert into usage (account_id, scope_id, hour, operations)
values (%(account_id)s::bigint, %(scope_id)s, %(hour)s, 1)
on conflict (account_id, scope_id, hour) do update set operations = usage.operations + 1;

-- name: usage_since
-- How often a user did anything, hour by hour.
select hour, operations from usage
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and hour >= %(since)s::bigint
 order by hour;
