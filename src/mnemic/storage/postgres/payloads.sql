-- name: payload_add
-- What a sensor delivered with a perception.
insert into payload (account_id, memory_id, data, metadata)
values (%(account_id)s::bigint, %(memory_id)s, %(data)s, %(metadata)s);

-- name: payload_get
-- Read only when somebody asks for it.
select data, metadata from payload
 where account_id = %(account_id)s::bigint and memory_id = %(memory_id)s::bigint;
