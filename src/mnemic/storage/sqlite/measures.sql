-- name: store_check
-- The least that shows that the store can be read: one row of one small table.
select exists (select 1 from account) as answers;

-- name: store_size
-- What the file takes up. Pages that wait in the log beside it are counted when they are moved.
select page_count * page_size as bytes, user_version as schema
  from pragma_page_count(), pragma_page_size(), pragma_user_version();

-- name: jobs_unfinished
-- What waits or is being done, of all accounts. An index holds only those.
select kind, status, count(*) as jobs from job_queue
 where finished_at is null and (:account_id is null or account_id = :account_id)
 group by kind, status;

-- name: tally_by_scope_kind
-- How many memories an account has in use, by where they are visible. Reads no memory.
select s.kind, sum(t.memories) as memories
  from scope s join tally t on t.scope_id = s.id
 where s.account_id = :account_id
 group by s.kind;
