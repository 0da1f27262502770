-- name: edge_add
-- A relation holds or does not: the second time adds nothing.
insert into edge (account_id, from_id, to_id, relation, created_at)
values (%(account_id)s::bigint, %(from_id)s, %(to_id)s, %(relation)s, %(now)s)
on conflict (account_id, from_id, to_id, relation) do nothing;

-- name: edge_targets
-- What a memory points at.
select to_id from edge
 where account_id = %(account_id)s::bigint and from_id = %(from_id)s::bigint
   and relation = %(relation)s::text
 order by to_id;
