-- name: job_number
-- The place at the end of the line. Waiting workers are woken when this transaction is committed.
select nextval('job_number') as number, pg_notify('mnemic_jobs', '');

-- name: job_add
-- The id is the idempotency key: nothing comes back where it was there already.
insert into job (account_id, id, payload, created_at)
values (%(account_id)s::bigint, %(id)s, %(payload)s, %(now)s)
on conflict (account_id, id) do nothing
returning id;

-- name: job_line_up
-- A new job stands last in its scope's line.
insert into job_queue (account_id, job_id, number, scope_id, kind, status, max_attempts, run_at,
                       updated_at, floor_id, revision)
values (%(account_id)s::bigint, %(id)s, %(number)s, %(scope_id)s, %(kind)s, 'pending',
        %(max_attempts)s, %(run_at)s, %(now)s, %(floor_id)s, %(revision)s);

-- name: job_accounts
-- Whose jobs are due, in the order of their numbers. Each account is one look into the index, however
-- many jobs it has.
with recursive waiting (account_id) as (
       select min(account_id) from job_queue
        where finished_at is null and account_id > %(after)s::bigint
        union all
       select (select min(q.account_id) from job_queue q
                where q.finished_at is null and q.account_id > w.account_id)
         from waiting w where w.account_id is not null)
select w.account_id from waiting w
 where w.account_id is not null
   and (%(account_id)s::bigint is null or w.account_id = %(account_id)s::bigint)
   and exists (select 1 from job_queue c
                where c.account_id = w.account_id and c.finished_at is null
                  and (c.run_at <= %(now)s::bigint or c.run_at > %(far_off)s::bigint)
                  and (c.lease_until is null or c.lease_until < %(now)s::bigint
                       or c.lease_until > %(lost_lease)s::bigint)
                  and c.kind = any(%(kinds)s::text[]))
 limit %(limit)s::bigint;

-- name: job_claim
-- Hand the oldest due job of an account to one worker. A lease that ran out counts as due: its
-- worker is gone.
-- Of one scope, nobody overtakes: not a job that is held, nor one that waits to be tried again.
-- A time further off than a pause or a lease can be was written by a clock that was ahead: due.
-- What another worker is just taking is passed by, not waited for. Each look at a line is a query
-- of its own: as joins they would read all lines where statistics are old, and a queue's always are.
with due as materialized (
    select c.account_id, c.job_id from job_queue c
     where c.finished_at is null and (c.run_at <= %(now)s::bigint or c.run_at > %(far_off)s::bigint)
       and (c.lease_until is null or c.lease_until < %(now)s::bigint
            or c.lease_until > %(lost_lease)s::bigint)
       and c.kind = any(%(kinds)s::text[])
       and c.account_id = %(account_id)s::bigint
       and (%(scope_id)s::bigint is null or c.scope_id = %(scope_id)s::bigint)
       and (select 1 from job_queue h
             where h.account_id = c.account_id and h.scope_id = c.scope_id
               and h.lease_until is not null and h.number <> c.number limit 1) is null
       and (select 1 from job_queue b
             where b.account_id = c.account_id and b.scope_id = c.scope_id
               and b.finished_at is null and b.number < c.number
               and (b.status = 'retry_waiting' or b.run_at <= %(now)s::bigint
                    or b.run_at > %(far_off)s::bigint) limit 1) is null
     order by c.run_at, c.number
     limit 1
       for update of c skip locked
)
update job_queue q
   set status = 'leased', attempts = q.attempts + 1, lease = q.lease + 1, worker = %(worker)s,
       lease_until = %(lease_until)s::bigint, updated_at = %(now)s::bigint
  from due
 where q.account_id = due.account_id and q.job_id = due.job_id
returning q.account_id, q.job_id, q.lease;

-- name: job_heartbeat
-- Only the holder of the last lease can make it longer.
update job_queue
   set status = 'running', lease_until = %(lease_until)s::bigint,
       progress = coalesce(%(progress)s::double precision, progress), updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text and lease = %(lease)s::bigint
   and lease_until is not null;

-- name: job_end
-- Only the holder of the last lease can end a job, and only once.
update job_queue
   set status = %(status)s::text, attempts = least(attempts, max_attempts), worker = null,
       progress = case when %(status)s::text = 'succeeded' then 1 else progress end,
       lease_until = null, updated_at = %(now)s::bigint, finished_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text and lease = %(lease)s::bigint
   and lease_until is not null;

-- name: job_postpone
-- It failed and will be tried again; until then it keeps its place in the line.
update job_queue
   set status = 'retry_waiting', run_at = %(run_at)s::bigint, worker = null, lease_until = null,
       updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text and lease = %(lease)s::bigint
   and lease_until is not null;

-- name: job_release
-- Its worker leaves before it is done: as if it had never been taken, but under a new lease.
update job_queue
   set status = case when attempts > 1 then 'retry_waiting' else 'pending' end,
       attempts = attempts - 1, progress = 0, worker = null, lease_until = null,
       updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text and lease = %(lease)s::bigint
   and lease_until is not null;

-- name: job_set_error
-- What went wrong last; null once it no longer matters.
update job set last_error = %(error)s::text
 where account_id = %(account_id)s::bigint and id = %(id)s::text;

-- name: job_cancel
-- Whoever held it finds out at the next sign of life.
update job_queue
   set status = 'cancelled', worker = null, lease_until = null, updated_at = %(now)s::bigint,
       finished_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text
   and status = any(%(statuses)s::text[]);

-- name: job_retry
-- All attempts anew, from the end of the line.
update job_queue
   set status = 'retry_waiting', number = %(number)s::bigint, attempts = 0, progress = 0,
       run_at = %(now)s::bigint, updated_at = %(now)s::bigint, finished_at = null
 where account_id = %(account_id)s::bigint and job_id = %(id)s::text
   and status in ('dead_letter', 'cancelled');

-- name: job_get
-- One job as it stands.
select * from current_job where account_id = %(account_id)s::bigint and id = %(id)s::text;

-- name: jobs_list
-- A page of an account's jobs, the last to enqueue first.
select * from current_job
 where account_id = %(account_id)s::bigint
   and (%(statuses)s::text[] is null or status = any(%(statuses)s::text[]))
   and (%(kinds)s::text[] is null or kind = any(%(kinds)s::text[]))
 order by number desc
 limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: job_counts
-- How many of an account's jobs stand where. Reads no content.
select status, count(*) as jobs from job_queue
 where account_id = %(account_id)s::bigint group by status;

-- name: jobs_purge
-- Remove what was over long ago, a bounded number at a time; the place in the line goes with it.
delete from job
 where account_id = %(account_id)s::bigint
   and id in (select job_id from job_queue
               where account_id = %(account_id)s::bigint and finished_at < %(before)s::bigint
               order by finished_at limit %(limit)s::bigint);

-- name: job_forget
-- A job that is over makes room for the same work.
delete from job
 where account_id = %(account_id)s::bigint and id = %(id)s::text
   and exists (select 1 from job_queue q
                where q.account_id = %(account_id)s::bigint and q.job_id = %(id)s::text
                  and q.finished_at is not null);

-- name: jobs_maintaining
-- The scopes that are looked after on a day.
select scope_kind, scope_name from current_job
 where account_id = %(account_id)s::bigint and kind = 'maintenance'
   and payload::json ->> 'day' = %(day)s::text;
