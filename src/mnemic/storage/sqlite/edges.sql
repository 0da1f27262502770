-- name: edge_add
-- A relation holds or does not: the second time adds nothing.
insert into edge (from_id, to_id, relation, created_at)
values (:from_id, :to_id, :relation, :now)
on conflict (from_id, to_id, relation) do nothing;

-- name: edge_unlink
-- A relation no longer holds.
delete from edge
 where from_id = :from_id and to_id = :to_id
   and relation = :relation;

-- name: edge_targets
-- What a memory points at.
select to_id from edge where from_id = :from_id and relation = :relation order by to_id;

-- name: edge_link
-- A relation with a name of its own; nothing comes back where it holds already, or where
-- somebody renamed the one that had this name.
insert into edge (from_id, to_id, relation, uid, created_at)
values (:from_id, :to_id, :relation, :uid, :now)
on conflict do nothing
returning uid;

-- name: edges_page
-- A page of an account's relations.
select * from current_edge e where {filter} limit :limit offset :offset;

-- name: edges_count
-- How many relations there are.
select count(*) as edges from current_edge e where {filter};

-- name: edge_relate
-- A relation becomes another one.
update edge set relation = :relation where id = :id and from_id = :from_id;

-- name: edges_drop
-- Relations that no longer hold.
delete from edge
 where id in (select value from json_each(:ids))
   and from_id in (select value from json_each(:from_ids));

-- name: edges_from
-- The relations that begin at some memories.
select id, uid, from_id, to_id, relation from edge
 where from_id in (select value from json_each(:from_ids));

-- name: edges_around
-- The relations of one memory in both directions, with what stands at their other ends.
select e.from_id, e.to_id, e.relation, o.status, o.summary
  from edge e join memory o on o.id = e.to_id
 where e.from_id = :memory_id
union all
select e.from_id, e.to_id, e.relation, o.status, o.summary
  from edge e join memory o on o.id = e.from_id
 where e.to_id = :memory_id and e.from_id <> :memory_id
 order by 3, 1, 2 limit :limit;
