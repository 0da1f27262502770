-- More kinds of scopes and of memories. Only the lists of what is allowed change, no row does, so
-- the constraints are widened where they stand: copying a million memories would gain nothing.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(sql, 'check (kind in (''collection''))',
                     'check (kind in (''collection'', ''user'', ''global'', ''chat'', ''branch'', ''floor''))')
 where type = 'table' and name = 'scope';
update sqlite_schema
   set sql = replace(sql, 'check (kind in (''fact'', ''perception''))',
                     'check (kind in (''fact'', ''perception'', ''core'', ''episodic'', ''semantic'', '
                     || '''procedural'', ''resource'', ''knowledge_vault'', ''summary'', ''open_loop''))')
 where type = 'table' and name = 'memory';
pragma writable_schema = reset;

-- How many memories of each kind a scope has in use, and when one of them last changed: kept by
-- whoever changes them, so that nobody has to count.
create table tally (
    scope_id   integer not null references scope (id),
    kind       text    not null,
    memories   integer not null check (memories >= 0),
    changed_at integer not null,
    primary key (scope_id, kind)
) strict, without rowid;

insert into tally (scope_id, kind, memories, changed_at)
select scope_id, kind, sum(status = 'active'), max(max(updated_at), coalesce(max(status_at), 0))
  from memory group by scope_id, kind;

-- What a user did last: as many rows as are shown, each written over in its turn.
create table activity (
    scope_id  integer not null references scope (id),
    slot      integer not null,
    number    integer not null,
    action    text    not null check (action in ('add', 'search', 'chat', 'update', 'delete')),
    kind      text,
    memory_id integer,
    at        integer not null,
    primary key (scope_id, slot)
) strict, without rowid;

-- How often a user did anything in each hour since the epoch.
create table usage (
    scope_id   integer not null references scope (id),
    hour       integer not null,
    operations integer not null check (operations > 0),
    primary key (scope_id, hour)
) strict, without rowid;

-- A conversation belongs to a scope, and its id means nothing outside of it.
create table conversation (
    scope_id   integer not null references scope (id),
    id         text    not null check (length(id) > 0),
    turns      integer not null default 0 check (turns >= 0),
    created_at integer not null,
    updated_at integer not null,
    primary key (scope_id, id)
) strict, without rowid;
create index conversation_by_time on conversation (scope_id, updated_at, id);

create table turn (
    id              text    primary key check (length(id) > 0),
    scope_id        integer not null,
    conversation_id text    not null,
    number          integer not null check (number >= 0),
    created_at      integer not null,
    unique (scope_id, conversation_id, number),
    foreign key (scope_id, conversation_id) references conversation (scope_id, id)
        on delete cascade
) strict, without rowid;

create table message (
    id       text    primary key check (length(id) > 0),
    turn_id  text    not null references turn (id) on delete cascade,
    position integer not null check (position >= 0),
    role     text    not null check (role in ('user', 'assistant')),
    content  text    not null,
    unique (turn_id, position)
) strict, without rowid;

-- Which turns a memory was made from. What has no row here was told to the memory directly.
create table source (
    memory_id integer not null references memory (id),
    turn_id   text    not null references turn (id) on delete cascade,
    primary key (memory_id, turn_id)
) strict, without rowid;
create index source_by_turn on source (turn_id);
