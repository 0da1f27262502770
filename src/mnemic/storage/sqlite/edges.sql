-- name: edge_add
-- A relation holds or does not: the second time adds nothing.
insert into edge (from_id, to_id, relation, created_at)
values (:from_id, :to_id, :relation, :now)
on conflict (from_id, to_id, relation) do nothing;

-- name: edge_targets
-- What a memory points at.
select to_id from edge where from_id = :from_id and relation = :relation order by to_id;
