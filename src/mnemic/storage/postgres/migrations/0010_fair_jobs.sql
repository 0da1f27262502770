-- Accounts take turns, so that the jobs of one are looked for apart from those of all others.
drop index job_due;
create index job_due on job_queue (account_id, run_at, number) where finished_at is null;
