-- name: edge_add
-- A relation holds or does not: the second time adds nothing.
insert into edge (account_id, from_id, to_id, relation, created_at)
values (%(account_id)s::bigint, %(from_id)s, %(to_id)s, %(relation)s, %(now)s)
on conflict (account_id, from_id, to_id, relation) do nothing;

-- name: edge_unlink
-- A relation no longer holds.
delete from edge
 where account_id = %(account_id)s::bigint and from_id = %(from_id)s::bigint and to_id = %(to_id)s::bigint
   and relation = %(relation)s::text;

-- name: edge_targets
-- What a memory points at.
select to_id from edge
 where account_id = %(account_id)s::bigint and from_id = %(from_id)s::bigint
   and relation = %(relation)s::text
 order by to_id;

-- name: edge_link
-- A relation with a name of its own; nothing comes back where it holds already, or where
-- somebody renamed the one that had this name.
insert into edge (account_id, from_id, to_id, relation, uid, created_at)
values (%(account_id)s::bigint, %(from_id)s, %(to_id)s, %(relation)s, %(uid)s, %(now)s)
on conflict do nothing
returning uid;

-- name: edges_page
-- A page of an account's relations.
select * from current_edge e where {filter} limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: edges_count
-- How many relations there are.
select count(*) as edges from current_edge e where {filter};

-- name: edge_relate
-- A relation becomes another one.
update edge set relation = %(relation)s::text
 where account_id = %(account_id)s::bigint and from_id = %(from_id)s::bigint and id = %(id)s::bigint;

-- name: edges_drop
-- Relations that no longer hold.
delete from edge
 where account_id = %(account_id)s::bigint and from_id = any(%(from_ids)s::bigint[]) and id = any(%(ids)s::bigint[]);

-- name: edges_from
-- The relations that begin at some memories.
select id, uid, from_id, to_id, relation from edge
 where account_id = %(account_id)s::bigint and from_id = any(%(from_ids)s::bigint[]);

-- name: edges_around
-- The relations of one memory in both directions, with what stands at their other ends.
select e.from_id, e.to_id, e.relation collate "C" as relation, o.status, o.summary
  from edge e join memory o on o.account_id = e.account_id and o.id = e.to_id
 where e.account_id = %(account_id)s::bigint and e.from_id = %(memory_id)s::bigint
union all
select e.from_id, e.to_id, e.relation collate "C", o.status, o.summary
  from edge e join memory o on o.account_id = e.account_id and o.id = e.from_id
 where e.account_id = %(account_id)s::bigint and e.to_id = %(memory_id)s::bigint
   and e.from_id <> %(memory_id)s::bigint
 order by 3, 1, 2 limit %(limit)s::bigint;
