-- name: store_check
-- The least that shows that the server answers, and whether it lets anybody write.
select true as answers,
       pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean
       as read_only;

-- name: store_size
-- What the database takes up, all accounts together.
select pg_database_size(current_database()) as bytes,
       (select version from mnemic_schema) as schema;

-- name: jobs_unfinished
-- What waits or is being done, of all accounts where none is named. An index holds only those.
select kind, status, count(*) as jobs from job_queue
 where finished_at is null
   and (%(account_id)s::bigint is null or account_id = %(account_id)s::bigint)
 group by kind, status;

-- name: tally_by_scope_kind
-- How many memories an account has in use, by where they are visible. Reads no memory.
select s.kind, sum(t.memories)::bigint as memories
  from scope s
  join tally t on t.account_id = s.account_id and t.scope_id = s.id
 where s.account_id = %(account_id)s::bigint
 group by s.kind;
