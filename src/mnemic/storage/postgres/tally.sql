-- name: tally_change
-- So many more or fewer memories of a kind are in use; 0 where one only changed.
insert into tally (account_id, scope_id, kind, memories, changed_at)
values (%(account_id)s::bigint, %(scope_id)s, %(kind)s, greatest(%(change)s::bigint, 0), %(now)s)
on conflict (account_id, scope_id, kind) do update
   set memories = tally.memories + %(change)s::bigint,
       changed_at = greatest(tally.changed_at, %(now)s::bigint);

-- name: tally_of_scope
-- What a scope holds, kind by kind.
select kind, memories, changed_at from tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
 order by kind collate "C";
