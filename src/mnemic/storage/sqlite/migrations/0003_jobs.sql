-- Background work, written in the transaction that causes it. What a job is about stands in `job`;
-- where it stands in its scope's line, and who holds it, in `job_queue`, which holds no content.
create table job (
    account_id integer not null references account (id),
    id         text    not null check (length(id) > 0),
    payload    text    not null check (json_type(payload) = 'object'),
    last_error text,
    created_at integer not null,
    primary key (account_id, id)
) strict, without rowid;

create table job_queue (
    account_id   integer not null,
    job_id       text    not null,
    number       integer not null,
    scope_id     integer not null references scope (id),
    kind         text    not null check (length(kind) > 0),
    status       text    not null check (status in ('pending', 'leased', 'running', 'retry_waiting',
                                                    'succeeded', 'dead_letter', 'cancelled')),
    progress     real    not null default 0 check (progress between 0 and 1),
    attempts     integer not null default 0 check (attempts >= 0),
    max_attempts integer not null check (max_attempts >= 1),
    run_at       integer not null,
    -- Counts the leases ever given, so that each is told from those before it.
    lease        integer not null default 0,
    worker       text,
    lease_until  integer,
    updated_at   integer not null,
    finished_at  integer,
    primary key (account_id, job_id),
    unique (account_id, number),
    foreign key (account_id, job_id) references job (account_id, id) on delete cascade,
    check ((status in ('leased', 'running')) = (lease_until is not null)),
    check ((status in ('succeeded', 'dead_letter', 'cancelled')) = (finished_at is not null))
) strict, without rowid;

-- What is due, whoever it belongs to.
create index job_due on job_queue (run_at, number) where finished_at is null;
-- Who stands before a job in its scope's line.
create index job_line on job_queue (account_id, scope_id, number) where finished_at is null;
-- Of one scope, one job at a time.
create unique index job_one_at_a_time on job_queue (account_id, scope_id)
 where lease_until is not null;
create index job_finished on job_queue (account_id, finished_at) where finished_at is not null;

create view current_job as
select j.account_id, j.id, q.number, s.kind as scope_kind, s.name as scope_name, q.kind, q.status,
       j.payload, q.progress, q.attempts, q.max_attempts, q.run_at, q.worker,
       q.lease_until, j.last_error, j.created_at, q.updated_at, q.finished_at
  from job j
  join job_queue q on q.account_id = j.account_id and q.job_id = j.id
  join scope s on s.id = q.scope_id;

-- The last number that a job got: it moves whenever there is something new to do.
create table job_clock (
    id     integer primary key check (id = 1),
    number integer not null
) strict;
insert into job_clock (id, number) values (1, 0);
