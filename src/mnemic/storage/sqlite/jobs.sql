-- name: job_number
-- The place at the end of the line. That it moved is what waiting workers look for.
update job_clock set number = number + 1 returning number;

-- name: job_clock_read
-- Whether there is something new to do.
select number from job_clock;

-- name: job_add
-- The id is the idempotency key: nothing comes back where it was there already.
insert into job (account_id, id, payload, created_at)
values (:account_id, :id, :payload, :now)
on conflict (account_id, id) do nothing
returning id;

-- name: job_line_up
-- A new job stands last in its scope's line.
insert into job_queue (account_id, job_id, number, scope_id, kind, status, max_attempts, run_at,
                       updated_at, floor_id, revision)
values (:account_id, :id, :number, :scope_id, :kind, 'pending', :max_attempts, :run_at, :now,
        :floor_id, :revision);

-- name: job_accounts
-- Whose jobs are due, in the order of their numbers. Each account is one look into the index, however
-- many jobs it has.
with recursive waiting (account_id) as (
       select min(account_id) from job_queue where finished_at is null and account_id > :after
        union all
       select (select min(q.account_id) from job_queue q
                where q.finished_at is null and q.account_id > w.account_id)
         from waiting w where w.account_id is not null)
select w.account_id from waiting w
 where w.account_id is not null
   and (:account_id is null or w.account_id = :account_id)
   and exists (select 1 from job_queue c
                where c.account_id = w.account_id and c.finished_at is null
                  and (c.run_at <= :now or c.run_at > :far_off)
                  and (c.lease_until is null or c.lease_until < :now
                       or c.lease_until > :lost_lease)
                  and c.kind in (select value from json_each(:kinds)))
 limit :limit;

-- name: job_claim
-- Hand the oldest due job of an account to one worker. A lease that ran out counts as due: its
-- worker is gone.
-- Of one scope, nobody overtakes: not a job that is held, nor one that waits to be tried again.
-- A time further off than a pause or a lease can be was written by a clock that was ahead: due.
update job_queue
   set status = 'leased', attempts = attempts + 1, lease = lease + 1, worker = :worker,
       lease_until = :lease_until, updated_at = :now
 where (account_id, job_id) = (
       select c.account_id, c.job_id from job_queue c
        where c.finished_at is null and (c.run_at <= :now or c.run_at > :far_off)
          and (c.lease_until is null or c.lease_until < :now
               or c.lease_until > :lost_lease)
          and c.kind in (select value from json_each(:kinds))
          and c.account_id = :account_id
          and (:scope_id is null or c.scope_id = :scope_id)
          and not exists (select 1 from job_queue h
                           where h.account_id = c.account_id and h.scope_id = c.scope_id
                             and h.lease_until is not null and h.number <> c.number)
          and not exists (select 1 from job_queue b
                           where b.account_id = c.account_id and b.scope_id = c.scope_id
                             and b.finished_at is null and b.number < c.number
                             and (b.status = 'retry_waiting' or b.run_at <= :now
                                  or b.run_at > :far_off))
        order by c.run_at, c.number
        limit 1)
returning account_id, job_id, lease;

-- name: job_heartbeat
-- Only the holder of the last lease can make it longer.
update job_queue
   set status = 'running', lease_until = :lease_until, progress = coalesce(:progress, progress),
       updated_at = :now
 where account_id = :account_id and job_id = :id and lease = :lease and lease_until is not null;

-- name: job_end
-- Only the holder of the last lease can end a job, and only once.
update job_queue
   set status = :status, attempts = min(attempts, max_attempts), worker = null, lease_until = null,
       progress = case when :status = 'succeeded' then 1.0 else progress end,
       updated_at = :now, finished_at = :now
 where account_id = :account_id and job_id = :id and lease = :lease and lease_until is not null;

-- name: job_postpone
-- It failed and will be tried again; until then it keeps its place in the line.
update job_queue
   set status = 'retry_waiting', run_at = :run_at, worker = null, lease_until = null,
       updated_at = :now
 where account_id = :account_id and job_id = :id and lease = :lease and lease_until is not null;

-- name: job_release
-- Its worker leaves before it is done: as if it had never been taken, but under a new lease.
update job_queue
   set status = case when attempts > 1 then 'retry_waiting' else 'pending' end,
       attempts = attempts - 1, progress = 0, worker = null, lease_until = null, updated_at = :now
 where account_id = :account_id and job_id = :id and lease = :lease and lease_until is not null;

-- name: job_set_error
-- What went wrong last; null once it no longer matters.
update job set last_error = :error where account_id = :account_id and id = :id;

-- name: job_cancel
-- Whoever held it finds out at the next sign of life.
update job_queue
   set status = 'cancelled', worker = null, lease_until = null, updated_at = :now,
       finished_at = :now
 where account_id = :account_id and job_id = :id
   and status in (select value from json_each(:statuses));

-- name: job_retry
-- All attempts anew, from the end of the line.
update job_queue
   set status = 'retry_waiting', number = :number, attempts = 0, progress = 0, run_at = :now,
       updated_at = :now, finished_at = null
 where account_id = :account_id and job_id = :id and status in ('dead_letter', 'cancelled');

-- name: job_get
-- One job as it stands.
select * from current_job where account_id = :account_id and id = :id;

-- name: jobs_list
-- A page of an account's jobs, the last to enqueue first.
select * from current_job
 where account_id = :account_id
   and (:statuses is null or status in (select value from json_each(:statuses)))
   and (:kinds is null or kind in (select value from json_each(:kinds)))
 order by number desc
 limit :limit offset :offset;

-- name: job_counts
-- How many of an account's jobs stand where. Reads no content.
select status, count(*) as jobs from job_queue where account_id = :account_id group by status;

-- name: jobs_purge
-- Remove what was over long ago, a bounded number at a time; the place in the line goes with it.
delete from job
 where account_id = :account_id
   and id in (select job_id from job_queue
               where account_id = :account_id and finished_at < :before
               order by finished_at limit :limit);

-- name: job_forget
-- A job that is over makes room for the same work.
delete from job
 where account_id = :account_id and id = :id
   and exists (select 1 from job_queue q
                where q.account_id = :account_id and q.job_id = :id and q.finished_at is not null);

-- name: jobs_maintaining
-- The scopes that are looked after on a day.
select scope_kind, scope_name from current_job
 where account_id = :account_id and kind = 'maintenance' and payload ->> '$.day' = :day;
