-- More kinds of scopes and of memories.
alter table scope drop constraint scope_kind_check;
alter table scope add constraint scope_kind_check
    check (kind in ('collection', 'user', 'global', 'chat', 'branch', 'floor'));
alter table memory drop constraint memory_kind_check;
alter table memory add constraint memory_kind_check
    check (kind in ('fact', 'perception', 'core', 'episodic', 'semantic', 'procedural', 'resource',
                    'knowledge_vault', 'summary', 'open_loop'));

-- How many memories of each kind a scope has in use, and when one of them last changed: kept by
-- whoever changes them, so that nobody has to count. Room is left on each page for that.
create table tally (
    account_id bigint not null,
    scope_id   bigint not null,
    kind       text   not null,
    memories   bigint not null check (memories >= 0),
    changed_at bigint not null,
    primary key (account_id, scope_id, kind),
    foreign key (account_id, scope_id) references scope (account_id, id)
) with (fillfactor = 50);

insert into tally (account_id, scope_id, kind, memories, changed_at)
select account_id, scope_id, kind, count(*) filter (where status = 'active'),
       greatest(max(updated_at), max(status_at))
  from memory group by account_id, scope_id, kind;

-- What a user did last: as many rows as are shown, each written over in its turn.
create table activity (
    account_id bigint  not null,
    scope_id   bigint  not null,
    slot       integer not null,
    number     bigint  not null,
    action     text    not null check (action in ('add', 'search', 'chat', 'update', 'delete')),
    kind       text,
    memory_id  bigint,
    at         bigint  not null,
    primary key (account_id, scope_id, slot),
    foreign key (account_id, scope_id) references scope (account_id, id)
) with (fillfactor = 50);

-- How often a user did anything in each hour since the epoch.
create table usage (
    account_id bigint not null,
    scope_id   bigint not null,
    hour       bigint not null,
    operations bigint not null check (operations > 0),
    primary key (account_id, scope_id, hour),
    foreign key (account_id, scope_id) references scope (account_id, id)
) with (fillfactor = 70);

-- A conversation belongs to a scope, and its id means nothing outside of it.
create table conversation (
    account_id bigint not null,
    scope_id   bigint not null,
    id         text   not null check (length(id) > 0),
    turns      bigint not null default 0 check (turns >= 0),
    created_at bigint not null,
    updated_at bigint not null,
    primary key (account_id, scope_id, id),
    foreign key (account_id, scope_id) references scope (account_id, id)
);
create index conversation_by_time on conversation (account_id, scope_id, updated_at, id);

create table turn (
    account_id      bigint not null,
    id              text   not null check (length(id) > 0),
    scope_id        bigint not null,
    conversation_id text   not null,
    number          bigint not null check (number >= 0),
    created_at      bigint not null,
    primary key (account_id, id),
    unique (account_id, scope_id, conversation_id, number),
    foreign key (account_id, scope_id, conversation_id)
        references conversation (account_id, scope_id, id) on delete cascade
) partition by hash (account_id);

create table message (
    account_id bigint   not null,
    id         text     not null check (length(id) > 0),
    turn_id    text     not null,
    position   smallint not null check (position >= 0),
    role       text     not null check (role in ('user', 'assistant')),
    content    text     not null,
    primary key (account_id, id),
    unique (account_id, turn_id, position),
    foreign key (account_id, turn_id) references turn (account_id, id) on delete cascade
) partition by hash (account_id);

-- Which turns a memory was made from. What has no row here was told to the memory directly.
create table source (
    account_id bigint not null,
    memory_id  bigint not null,
    turn_id    text   not null,
    primary key (account_id, memory_id, turn_id),
    foreign key (account_id, memory_id) references memory (account_id, id),
    foreign key (account_id, turn_id) references turn (account_id, id) on delete cascade
) partition by hash (account_id);
create index source_by_turn on source (account_id, turn_id);

do $$
declare
    name text;
    parts integer;
begin
    -- As many as the first tables got: the setting may have changed since.
    select number into parts from mnemic_partitions;
    foreach name in array array['turn', 'message', 'source'] loop
        for part in 0 .. parts - 1 loop
            execute format(
                'create table %I partition of %I for values with (modulus %s, remainder %s)',
                name || '_' || part, name, parts, part);
            execute format('alter table %I enable row level security', name || '_' || part);
        end loop;
    end loop;
    foreach name in array array['tally', 'activity', 'usage', 'conversation', 'turn', 'message',
                                'source'] loop
        execute format('alter table %I enable row level security', name);
        execute format(
            'create policy own_account on %I using (account_id = '
            || '(select nullif(current_setting(''mnemic.account'', true), '''')::bigint))', name);
    end loop;
end $$;
