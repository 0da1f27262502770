-- One more kind of scope: where search keeps the texts of items that are not in use, so that who
-- asks for them finds them and a recall does not. And one more thing that can happen to a memory.
alter table scope drop constraint scope_kind_check;
alter table scope add constraint scope_kind_check
    check (kind in ('collection', 'user', 'global', 'chat', 'branch', 'floor', 'resting'));
alter table event drop constraint event_verb_check;
alter table event add constraint event_verb_check
    check (verb in ('created', 'duplicate', 'revised', 'forgotten', 'superseded', 'restored',
                    'decayed', 'deleted'));

-- What a chat keeps of a memory besides its text. What is filtered and sorted by stands here in one
-- row; `scope_kind` is the scope's own. Floors, turns and messages are named, not referred to: an
-- app may tell of those that it keeps itself.
create table item (
    account_id     bigint  not null,
    memory_id      bigint  not null,
    -- The document of its memory: what search finds is looked up here.
    doc            bigint  not null,
    uid            text    not null check (length(uid) > 0),
    scope_id       bigint  not null,
    scope_kind     text    not null,
    kind           text    not null check (kind in ('fact', 'summary', 'open_loop')),
    tier           text check (tier in ('micro', 'macro')),
    fact_key       text,
    importance     double precision not null check (importance between 0 and 1),
    confidence     double precision not null check (confidence between 0 and 1),
    floor_id       text,
    message_id     text,
    job_id         text,
    status         text    not null check (status in ('active', 'deprecated')),
    lifecycle      text    not null check (lifecycle in ('active', 'compacted', 'deprecated')),
    wrapped        boolean not null,
    tokens         bigint  not null check (tokens >= 0),
    used_at        bigint,
    coverage_start bigint,
    coverage_end   bigint,
    derived_from   bigint,
    pinned         boolean not null,
    extractor      text,
    -- Why it is no longer in use: how a loop was resolved, why a fact does not hold.
    note           text,
    -- What it was made of, as long as the same says the same; null for what was written by hand.
    origin         text,
    turn_id        text,
    version        integer,
    -- Whether somebody changed it by hand since.
    edited         boolean not null,
    -- The turn that took it out of use: it comes back when that turn goes.
    displaced_by   text,
    created_at     bigint  not null,
    updated_at     bigint  not null,
    primary key (account_id, memory_id),
    foreign key (account_id, memory_id) references memory (account_id, id),
    foreign key (account_id, scope_id) references scope (account_id, id),
    check (tier is null or kind = 'summary'),
    check (fact_key is null or kind = 'fact')
) partition by hash (account_id);
create unique index item_by_uid on item (account_id, uid collate "C");
create unique index item_by_doc on item (account_id, doc);
create index item_of_account on item (account_id, created_at, uid collate "C");
create index item_by_creation on item (account_id, scope_id, created_at, uid collate "C");
create index item_by_update on item (account_id, scope_id, updated_at, uid collate "C");
create index item_by_importance on item (account_id, scope_id, importance, uid collate "C");
create index item_by_confidence on item (account_id, scope_id, confidence, uid collate "C");
create index item_by_key on item (account_id, fact_key, scope_id)
 where fact_key is not null;
create index item_by_sort on item (account_id, scope_id, kind, status, lifecycle);
create index item_pinned on item (account_id, scope_id) where pinned;
create index item_by_floor on item (account_id, floor_id) where floor_id is not null;
create index item_by_message on item (account_id, message_id) where message_id is not null;
create index item_by_turn on item (account_id, turn_id) where turn_id is not null;
create index item_by_displacer on item (account_id, displaced_by) where displaced_by is not null;

-- How many items of each sort a scope holds and what they come to: kept by whoever changes them.
-- Importance and confidence are added up as whole billionths, which never drift.
create table item_tally (
    account_id bigint not null,
    scope_id   bigint not null,
    kind       text   not null,
    tier       text   not null,
    status     text   not null,
    lifecycle  text   not null,
    items      bigint not null check (items >= 0),
    importance bigint not null,
    confidence bigint not null,
    tokens     bigint not null,
    primary key (account_id, scope_id, kind, tier, status, lifecycle),
    foreign key (account_id, scope_id) references scope (account_id, id)
) with (fillfactor = 50);

-- Items that were made from a turn and deleted by hand, and when: a replay deletes them again, at the
-- same place in the line of turns.
create table struck (
    account_id bigint not null,
    scope_id   bigint not null,
    uid        text   not null,
    struck_at  bigint not null,
    primary key (account_id, scope_id, uid),
    foreign key (account_id, scope_id) references scope (account_id, id)
);

-- How far the background work of a scope is. The revision counts the changes of its memory.
create table scope_state (
    account_id   bigint not null,
    scope_id     bigint not null,
    revision     bigint not null check (revision >= 0),
    last_floor   bigint,
    compacted_at bigint,
    updated_at   bigint not null,
    primary key (account_id, scope_id),
    foreign key (account_id, scope_id) references scope (account_id, id)
) with (fillfactor = 50);

alter table edge add column uid text;
create unique index edge_by_uid on edge (account_id, uid collate "C") where uid is not null;
create index edge_by_time on edge (account_id, created_at, uid collate "C") where uid is not null;

-- The relations that a chat may name, with the names of both ends where they are items.
create view current_edge with (security_invoker = true) as
select e.id, e.uid, e.account_id, e.from_id, e.to_id, e.relation, e.created_at,
       f.uid as from_uid, t.uid as to_uid
  from edge e
  left join item f on f.account_id = e.account_id and f.memory_id = e.from_id
  left join item t on t.account_id = e.account_id and t.memory_id = e.to_id
 where e.uid is not null;

-- How far a moved store was: what has a larger number, or was said later, was written here since.
alter table migration add column last_event bigint;
alter table migration add column last_edge bigint;
alter table migration add column last_said bigint;

-- Which turn a job is about, and which revision of its scope it was made for.
alter table job_queue add column floor_id text;
alter table job_queue add column revision bigint;
-- All jobs of a scope, done or not.
create index job_by_scope on job_queue (account_id, scope_id);
create or replace view current_job with (security_invoker = true) as
select j.account_id, j.id, q.number, s.kind as scope_kind, s.name as scope_name, q.kind, q.status,
       j.payload, q.progress, q.attempts, q.max_attempts, q.run_at, q.worker,
       q.lease_until, j.last_error, j.created_at, q.updated_at, q.finished_at, q.floor_id,
       q.revision
  from job j
  join job_queue q on q.account_id = j.account_id and q.job_id = j.id
  join scope s on s.account_id = q.account_id and s.id = q.scope_id;

-- Turns get versions, one of them active, and stand in branches. In branches that share a turn it
-- has the same number. A message's key was its id alone, and ids that an app gives mean something
-- only within a turn.
alter table turn drop constraint turn_account_id_scope_id_conversation_id_number_key;
alter table turn add column version bigint not null default 0 check (version >= 0);
alter table turn add column idempotency_key text;
alter table turn add column updated_at bigint;
update turn set updated_at = created_at;
alter table turn alter column updated_at set not null;
create index turn_by_number on turn (account_id, scope_id, conversation_id, number);
create unique index turn_by_key on turn (account_id, scope_id, conversation_id, idempotency_key)
 where idempotency_key is not null;

alter table message drop constraint message_pkey;
alter table message drop constraint message_account_id_turn_id_position_key;
alter table message drop constraint message_role_check;
alter table message add constraint message_role_check
    check (role in ('user', 'assistant', 'system', 'tool'));
alter table message add column version bigint not null default 0 check (version >= 0);
alter table message add column name text;
alter table message add primary key (account_id, turn_id, version, position);

-- What one version of a turn says that is worth keeping, once somebody has looked.
create table version (
    account_id bigint not null,
    turn_id    text   not null,
    number     bigint not null check (number >= 0),
    extraction text,
    created_at bigint not null,
    primary key (account_id, turn_id, number),
    foreign key (account_id, turn_id) references turn (account_id, id) on delete cascade
) partition by hash (account_id);

create table branch (
    account_id      bigint not null,
    scope_id        bigint not null,
    conversation_id text   not null,
    id              text   not null check (length(id) > 0),
    parent          text,
    forked_at       bigint,
    created_at      bigint not null,
    primary key (account_id, scope_id, conversation_id, id),
    foreign key (account_id, scope_id, conversation_id)
        references conversation (account_id, scope_id, id) on delete cascade
);

-- Which turns a branch consists of. A fork has the ones before it in common with its parent.
create table path (
    account_id      bigint not null,
    scope_id        bigint not null,
    conversation_id text   not null,
    branch_id       text   not null,
    number          bigint not null check (number >= 0),
    turn_id         text   not null,
    primary key (account_id, scope_id, conversation_id, branch_id, number),
    foreign key (account_id, turn_id) references turn (account_id, id) on delete cascade,
    foreign key (account_id, scope_id, conversation_id, branch_id)
        references branch (account_id, scope_id, conversation_id, id) on delete cascade
) partition by hash (account_id);
create index path_by_turn on path (account_id, turn_id);

create view current_session with (security_invoker = true) as
select c.scope_id, c.account_id, c.id, c.created_at, c.updated_at
  from conversation c
  join scope s on s.account_id = c.account_id and s.id = c.scope_id
 where s.kind = 'chat';

create view current_scope_state with (security_invoker = true) as
select s.account_id, s.kind || '/' || s.name as name, s.kind as scope_kind, s.name as scope_name,
       t.revision, t.last_floor, t.compacted_at, t.updated_at, q.worker, q.lease_until
  from scope_state t
  join scope s on s.account_id = t.account_id and s.id = t.scope_id
  left join job_queue q on q.account_id = s.account_id and q.scope_id = s.id
                       and q.lease_until is not null;

do $$
declare
    name text;
    parts integer;
begin
    select number into parts from mnemic_partitions;
    foreach name in array array['item', 'version', 'path'] loop
        for part in 0 .. parts - 1 loop
            execute format(
                'create table %I partition of %I for values with (modulus %s, remainder %s)%s',
                name || '_' || part, name, parts, part,
                case when name = 'item' then ' with (fillfactor = 85)' else '' end);
            execute format('alter table %I enable row level security', name || '_' || part);
        end loop;
    end loop;
    foreach name in array array['item', 'item_tally', 'struck', 'scope_state', 'version', 'branch',
                                'path'] loop
        execute format('alter table %I enable row level security', name);
        execute format(
            'create policy own_account on %I using (account_id = '
            || '(select nullif(current_setting(''mnemic.account'', true), '''')::bigint))', name);
    end loop;
end $$;
