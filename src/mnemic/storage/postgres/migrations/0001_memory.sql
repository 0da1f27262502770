-- The same tables as on SQLite, each row under its account, the large ones spread over partitions
-- by a hash of it. Times are microseconds since the epoch, UTC. JSON is text, so that it comes back
-- as it was given.

create sequence account_number as bigint;
create sequence scope_number as bigint;
create sequence memory_number as bigint;
create sequence event_number as bigint;
create sequence edge_number as bigint;
-- Every change of what can be found takes the next number, under the lock of its scope: within a
-- scope, numbers are committed in ascending order.
create sequence change_number as bigint;

create table account (
    id         bigint  primary key default nextval('account_number'),
    name       text    not null unique check (length(name) > 0),
    created_at bigint  not null
);

-- Where memories are visible. `seq` is the scope's change clock: whoever changes what is in the
-- scope holds this row until the commit. Room is left on each page, so that a moved clock needs no
-- new index entry.
create table scope (
    account_id bigint  not null references account (id),
    id         bigint  not null default nextval('scope_number'),
    kind       text    not null check (kind in ('collection')),
    name       text    not null check (length(name) > 0),
    seq        bigint  not null default 0,
    decayed_at bigint,
    decay_rate double precision not null default 0 check (decay_rate >= 0 and decay_rate < 1),
    created_at bigint  not null,
    primary key (account_id, id),
    unique (account_id, kind, name)
) with (fillfactor = 50);

create table episode (
    account_id    bigint  not null,
    id            text    not null,
    scope_id      bigint  not null,
    status        text    not null check (status in ('active', 'ended')),
    context       text    not null,
    started_at    bigint  not null,
    ended_at      bigint,
    outcome_score double precision check (outcome_score between 0 and 1),
    primary key (account_id, id),
    foreign key (account_id, scope_id) references scope (account_id, id),
    check ((status = 'ended') = (ended_at is not null))
);

create table memory (
    account_id      bigint  not null,
    id              bigint  not null default nextval('memory_number'),
    doc             bigint  not null,
    scope_id        bigint  not null,
    kind            text    not null check (kind in ('fact', 'perception')),
    status          text    not null check (status in ('active', 'invalidated', 'superseded')),
    content         text    not null check (length(content) > 0),
    summary         text    not null,
    content_hash    bytea   not null check (length(content_hash) = 32),
    category        text    not null,
    protected       boolean not null,
    confidence      double precision not null check (confidence between 0 and 1),
    tags            text    not null,
    scope_files     text    not null,
    context         text    not null,
    episode_id      text,
    perception_type text,
    created_at      bigint  not null,
    updated_at      bigint  not null,
    accessed_at     bigint  not null,
    access_count    bigint  not null default 0 check (access_count >= 0),
    status_reason   text,
    status_at       bigint,
    primary key (account_id, id),
    unique (account_id, doc),
    foreign key (account_id, scope_id) references scope (account_id, id),
    foreign key (account_id, episode_id) references episode (account_id, id)
) partition by hash (account_id);

-- The first layer of dedup: one look-up, whatever the size of the store. Counting a scope reads it
-- too. No index holds what a recall changes (confidence, accessed_at, access_count): counting
-- recalls then leaves every index alone.
create index memory_by_hash on memory (account_id, scope_id, content_hash) where status = 'active';
-- A page of a scope, newest first.
create index memory_by_scope on memory (account_id, scope_id, id);
create index memory_by_episode on memory (account_id, episode_id, id) where episode_id is not null;

-- A memory with its confidence aged to the scope's clock: lost at a daily rate since the last
-- access, not within the first day, not below 0.05, and never for protected categories. It sees
-- what its reader may see, not what its owner may. Every memory has its scope; the outer join only
-- keeps the planner from reading all memories of a scope to find some of them by their numbers.
create view current_memory with (security_invoker = true) as
select m.id, m.doc, m.scope_id, m.account_id, s.kind as scope_kind, s.name as scope_name, m.kind,
       m.status, m.content, m.summary, m.category, m.protected, m.tags, m.scope_files, m.context,
       m.episode_id, m.perception_type, m.created_at, m.updated_at, m.accessed_at,
       m.access_count, m.status_reason, m.status_at,
       case when not m.protected and m.confidence > 0.05::double precision
                 and s.decayed_at - m.accessed_at > 86400000000
            then greatest(0.05::double precision, m.confidence
                     * power(1 - s.decay_rate,
                             (s.decayed_at - m.accessed_at) / 86400000000.0::double precision))
            else m.confidence
       end as confidence
  from memory m
  left join scope s on s.account_id = m.account_id and s.id = m.scope_id;

-- What sensors delivered: outside the memory row, so that search never reads it.
create table payload (
    account_id bigint not null,
    memory_id  bigint not null,
    data       bytea,
    metadata   bytea,
    primary key (account_id, memory_id),
    foreign key (account_id, memory_id) references memory (account_id, id)
) partition by hash (account_id);

-- What search knows of a text, under a number of its own: a changed text is a new document, so
-- that every cache is append-only. `seq` tells caches what to read again.
create table document (
    account_id bigint   not null,
    doc        bigint   not null,
    seq        bigint   not null,
    scope_id   bigint   not null,
    -- What was said or done in one run, in order: the hash of the episode's id.
    thread     bigint,
    live       boolean  not null,
    terms      bytea    not null,
    own_terms  integer,
    speaker    text,
    said_at    bigint,
    -- Bits: it tells of the real world, it asks, it speaks in the first person.
    traits     smallint not null default 0,
    telling    integer  not null default 255,
    primary key (account_id, doc),
    foreign key (account_id, scope_id) references scope (account_id, id)
) partition by hash (account_id);
create index document_by_scope on document (account_id, scope_id, doc) where live;
create index document_retired on document (account_id, scope_id, seq) where not live;

create table model (
    id         integer generated always as identity primary key,
    name       text    not null unique,
    dimensions integer not null check (dimensions > 0)
);

create table edge (
    account_id bigint not null,
    id         bigint not null default nextval('edge_number'),
    from_id    bigint not null,
    to_id      bigint not null,
    relation   text   not null check (length(relation) > 0),
    created_at bigint not null,
    primary key (account_id, from_id, to_id, relation),
    foreign key (account_id, from_id) references memory (account_id, id),
    foreign key (account_id, to_id) references memory (account_id, id)
) partition by hash (account_id);
create index edge_by_target on edge (account_id, to_id);

-- Who did what, when, and what it looked like before and after. Never changed, never deleted.
create table event (
    account_id bigint not null,
    id         bigint not null default nextval('event_number'),
    scope_id   bigint not null,
    memory_id  bigint,
    verb       text   not null check (verb in ('created', 'duplicate', 'revised', 'forgotten',
                                               'superseded', 'restored', 'decayed')),
    actor      text   not null,
    at         bigint not null,
    before     text,
    after      text,
    primary key (account_id, id),
    foreign key (account_id, scope_id) references scope (account_id, id),
    foreign key (account_id, memory_id) references memory (account_id, id)
) partition by hash (account_id);
create index event_by_memory on event (account_id, memory_id, id) where memory_id is not null;

-- That a transaction was committed, for the client whose connection broke at that moment. Tokens
-- begin with the time, so that the oldest come first; they are removed after an hour.
create table receipt (
    account_id bigint not null,
    token      uuid   not null,
    primary key (account_id, token)
);

-- Which store an account was moved from: `origin` tells it from every other one. Only the owner of
-- the tables moves stores.
create table migration (
    account_id bigint primary key references account (id),
    origin     bytea  not null check (length(origin) = 32)
);

do $$
declare
    name text;
begin
    foreach name in array array['memory', 'payload', 'document', 'edge', 'event'] loop
        for part in 0 .. current_setting('mnemic.partitions')::integer - 1 loop
            execute format(
                'create table %I partition of %I for values with (modulus %s, remainder %s)%s',
                name || '_' || part, name, current_setting('mnemic.partitions'), part,
                -- Room on each page for rows that change in place.
                case when name = 'memory' then ' with (fillfactor = 85)' else '' end);
            -- Without a policy nobody but the owner gets a row here: the way leads through the whole.
            execute format('alter table %I enable row level security', name || '_' || part);
        end loop;
    end loop;
    -- The second wall: a statement that forgot its account finds nothing, and can write nothing.
    foreach name in array array['scope', 'episode', 'memory', 'payload', 'document', 'edge',
                                'event', 'receipt', 'migration'] loop
        execute format('alter table %I enable row level security', name);
        execute format(
            'create policy own_account on %I using (account_id = '
            || '(select nullif(current_setting(''mnemic.account'', true), '''')::bigint))', name);
    end loop;
end $$;
