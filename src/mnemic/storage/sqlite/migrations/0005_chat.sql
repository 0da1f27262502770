-- One more kind of scope: where search keeps the texts of items that are not in use, so that who
-- asks for them finds them and a recall does not. And one more thing that can happen to a memory.
-- What a chat deletes takes its events and edges along: their numbers never mean others either.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(sql, '''branch'', ''floor''))', '''branch'', ''floor'', ''resting''))')
 where type = 'table' and name = 'scope';
update sqlite_schema
   set sql = replace(sql, '''restored'', ''decayed'')', '''restored'', ''decayed'', ''deleted'')')
 where type = 'table' and name = 'event';
update sqlite_schema
   set sql = replace(sql, 'integer primary key,', 'integer primary key autoincrement,')
 where type = 'table' and name in ('event', 'edge');
pragma writable_schema = reset;
insert into sqlite_sequence (name, seq)
select 'event', coalesce(max(id), 0) from event
union all select 'edge', coalesce(max(id), 0) from edge;

-- What a chat keeps of a memory besides its text. What is filtered and sorted by stands here in one
-- row; `scope_kind` is the scope's own. Floors, turns and messages are named, not referred to: an
-- app may tell of those that it keeps itself.
create table item (
    memory_id      integer primary key references memory (id),
    account_id     integer not null references account (id),
    -- The document of its memory: what search finds is looked up here.
    doc            integer not null,
    uid            text    not null check (length(uid) > 0),
    scope_id       integer not null references scope (id),
    scope_kind     text    not null,
    kind           text    not null check (kind in ('fact', 'summary', 'open_loop')),
    tier           text check (tier in ('micro', 'macro')),
    fact_key       text,
    importance     real    not null check (importance between 0 and 1),
    confidence     real    not null check (confidence between 0 and 1),
    floor_id       text,
    message_id     text,
    job_id         text,
    status         text    not null check (status in ('active', 'deprecated')),
    lifecycle      text    not null check (lifecycle in ('active', 'compacted', 'deprecated')),
    wrapped        integer not null check (wrapped in (0, 1)),
    tokens         integer not null check (tokens >= 0),
    used_at        integer,
    coverage_start integer,
    coverage_end   integer,
    derived_from   integer,
    pinned         integer not null check (pinned in (0, 1)),
    extractor      text,
    -- Why it is no longer in use: how a loop was resolved, why a fact does not hold.
    note           text,
    -- What it was made of, as long as the same says the same; null for what was written by hand.
    origin         text,
    turn_id        text,
    version        integer,
    -- Whether somebody changed it by hand since.
    edited         integer not null check (edited in (0, 1)),
    -- The turn that took it out of use: it comes back when that turn goes.
    displaced_by   text,
    created_at     integer not null,
    updated_at     integer not null,
    check (tier is null or kind = 'summary'),
    check (fact_key is null or kind = 'fact')
) strict;
create unique index item_by_uid on item (account_id, uid);
create unique index item_by_doc on item (account_id, doc);
create index item_of_account on item (account_id, created_at, uid);
create index item_by_creation on item (scope_id, created_at, uid);
create index item_by_update on item (scope_id, updated_at, uid);
create index item_by_importance on item (scope_id, importance, uid);
create index item_by_confidence on item (scope_id, confidence, uid);
create index item_by_key on item (account_id, fact_key, scope_id)
 where fact_key is not null;
create index item_by_sort on item (scope_id, kind, status, lifecycle);
create index item_pinned on item (scope_id) where pinned = 1;
create index item_by_floor on item (account_id, floor_id) where floor_id is not null;
create index item_by_message on item (account_id, message_id) where message_id is not null;
create index item_by_turn on item (turn_id) where turn_id is not null;
create index item_by_displacer on item (displaced_by) where displaced_by is not null;

-- How many items of each sort a scope holds and what they come to: kept by whoever changes them.
-- Importance and confidence are added up as whole billionths, which never drift.
create table item_tally (
    scope_id   integer not null references scope (id),
    kind       text    not null,
    tier       text    not null,
    status     text    not null,
    lifecycle  text    not null,
    items      integer not null check (items >= 0),
    importance integer not null,
    confidence integer not null,
    tokens     integer not null,
    primary key (scope_id, kind, tier, status, lifecycle)
) strict, without rowid;

-- Items that were made from a turn and deleted by hand, and when: a replay deletes them again, at the
-- same place in the line of turns.
create table struck (
    scope_id  integer not null references scope (id),
    uid       text    not null,
    struck_at integer not null,
    primary key (scope_id, uid)
) strict, without rowid;

-- How far the background work of a scope is. The revision counts the changes of its memory.
create table scope_state (
    scope_id     integer primary key references scope (id),
    revision     integer not null check (revision >= 0),
    last_floor   integer,
    compacted_at integer,
    updated_at   integer not null
) strict;

alter table edge add column uid text;
create unique index edge_by_uid on edge (uid) where uid is not null;
create index edge_by_time on edge (created_at, uid) where uid is not null;

-- The relations that a chat may name, with the names of both ends where they are items.
create view current_edge as
select e.id, e.uid, s.account_id, e.from_id, e.to_id, e.relation, e.created_at,
       f.uid as from_uid, t.uid as to_uid
  from edge e
  join memory m on m.id = e.from_id
  join scope s on s.id = m.scope_id
  left join item f on f.memory_id = e.from_id
  left join item t on t.memory_id = e.to_id
 where e.uid is not null;

-- Which turn a job is about, and which revision of its scope it was made for.
alter table job_queue add column floor_id text;
alter table job_queue add column revision integer;
-- All jobs of a scope, done or not.
create index job_by_scope on job_queue (account_id, scope_id);
drop view current_job;
create view current_job as
select j.account_id, j.id, q.number, s.kind as scope_kind, s.name as scope_name, q.kind, q.status,
       j.payload, q.progress, q.attempts, q.max_attempts, q.run_at, q.worker,
       q.lease_until, j.last_error, j.created_at, q.updated_at, q.finished_at, q.floor_id,
       q.revision
  from job j
  join job_queue q on q.account_id = j.account_id and q.job_id = j.id
  join scope s on s.id = q.scope_id;

-- Turns get versions, one of them active, and stand in branches. In branches that share a turn it
-- has the same number. The tables are made anew: a message's key was its id alone, and ids that an
-- app gives mean something only within a turn.
create table turn_with_versions (
    id              text    primary key check (length(id) > 0),
    scope_id        integer not null,
    conversation_id text    not null,
    number          integer not null check (number >= 0),
    version         integer not null default 0 check (version >= 0),
    idempotency_key text,
    created_at      integer not null,
    updated_at      integer not null,
    foreign key (scope_id, conversation_id) references conversation (scope_id, id)
        on delete cascade
) strict, without rowid;
insert into turn_with_versions (id, scope_id, conversation_id, number, created_at, updated_at)
select id, scope_id, conversation_id, number, created_at, created_at from turn;

create table message_of_version (
    turn_id  text    not null references turn_with_versions (id) on delete cascade,
    version  integer not null default 0 check (version >= 0),
    position integer not null check (position >= 0),
    id       text    not null check (length(id) > 0),
    role     text    not null check (role in ('user', 'assistant', 'system', 'tool')),
    name     text,
    content  text    not null,
    primary key (turn_id, version, position)
) strict, without rowid;
insert into message_of_version (turn_id, position, id, role, content)
select turn_id, position, id, role, content from message;

create table source_of_turn (
    memory_id integer not null references memory (id),
    turn_id   text    not null references turn_with_versions (id) on delete cascade,
    primary key (memory_id, turn_id)
) strict, without rowid;
insert into source_of_turn (memory_id, turn_id) select memory_id, turn_id from source;

drop table source;
drop table message;
drop table turn;
alter table turn_with_versions rename to turn;
alter table message_of_version rename to message;
alter table source_of_turn rename to source;
create index source_by_turn on source (turn_id);
create index turn_by_number on turn (scope_id, conversation_id, number);
create unique index turn_by_key on turn (scope_id, conversation_id, idempotency_key)
 where idempotency_key is not null;

-- What one version of a turn says that is worth keeping, once somebody has looked.
create table version (
    turn_id    text    not null references turn (id) on delete cascade,
    number     integer not null check (number >= 0),
    extraction text check (json_type(extraction) = 'object'),
    created_at integer not null,
    primary key (turn_id, number)
) strict, without rowid;

create table branch (
    scope_id        integer not null,
    conversation_id text    not null,
    id              text    not null check (length(id) > 0),
    parent          text,
    forked_at       integer,
    created_at      integer not null,
    primary key (scope_id, conversation_id, id),
    foreign key (scope_id, conversation_id) references conversation (scope_id, id)
        on delete cascade
) strict, without rowid;

-- Which turns a branch consists of. A fork has the ones before it in common with its parent.
create table path (
    scope_id        integer not null,
    conversation_id text    not null,
    branch_id       text    not null,
    number          integer not null check (number >= 0),
    turn_id         text    not null references turn (id) on delete cascade,
    primary key (scope_id, conversation_id, branch_id, number),
    foreign key (scope_id, conversation_id, branch_id)
        references branch (scope_id, conversation_id, id) on delete cascade
) strict, without rowid;
create index path_by_turn on path (turn_id);

create view current_session as
select c.scope_id, s.account_id, c.id, c.created_at, c.updated_at
  from conversation c
  join scope s on s.id = c.scope_id
 where s.kind = 'chat';

create view current_scope_state as
select s.account_id, s.kind || '/' || s.name as name, s.kind as scope_kind, s.name as scope_name,
       t.revision, t.last_floor, t.compacted_at, t.updated_at, q.worker, q.lease_until
  from scope_state t
  join scope s on s.id = t.scope_id
  left join job_queue q on q.account_id = s.account_id and q.scope_id = s.id
                       and q.lease_until is not null;
