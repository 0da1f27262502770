-- name: payload_add
-- What a sensor delivered with a perception.
insert into payload (memory_id, data, metadata) values (:memory_id, :data, :metadata);

-- name: payload_get
-- Read only when somebody asks for it.
select data, metadata from payload where memory_id = :memory_id;
