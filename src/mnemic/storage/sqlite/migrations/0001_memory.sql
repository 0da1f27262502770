-- Times are microseconds since the epoch, UTC. JSON is text, so that it comes back as it was given.

create table account (
    id         integer primary key,
    name       text    not null unique check (length(name) > 0),
    created_at integer not null
) strict;

-- Where memories are visible. The decay clock belongs to the scope: confidence is aged when it is
-- read (see current_memory), so that ending an episode never rewrites a hundred thousand rows.
create table scope (
    id         integer primary key,
    account_id integer not null references account (id),
    kind       text    not null check (kind in ('collection')),
    name       text    not null check (length(name) > 0),
    decayed_at integer,
    decay_rate real    not null default 0 check (decay_rate >= 0 and decay_rate < 1),
    created_at integer not null,
    unique (account_id, kind, name)
) strict;

create table episode (
    id            text    primary key,
    scope_id      integer not null references scope (id),
    status        text    not null check (status in ('active', 'ended')),
    context       text    not null check (json_valid(context)),
    started_at    integer not null,
    ended_at      integer,
    outcome_score real check (outcome_score between 0 and 1),
    check ((status = 'ended') = (ended_at is not null))
) strict, without rowid;

-- One counter for the whole store: every change of what can be found takes the next number.
create table clock (
    id  integer primary key check (id = 1),
    seq integer not null
) strict;
insert into clock (id, seq) values (1, 0);

create table memory (
    -- autoincrement: an id that once meant one memory never means another.
    id              integer primary key autoincrement,
    doc             integer not null unique,
    scope_id        integer not null references scope (id),
    kind            text    not null check (kind in ('fact', 'perception')),
    status          text    not null check (status in ('active', 'invalidated', 'superseded')),
    content         text    not null check (length(content) > 0),
    summary         text    not null,
    content_hash    blob    not null check (length(content_hash) = 32),
    category        text    not null,
    protected       integer not null check (protected in (0, 1)),
    confidence      real    not null check (confidence between 0 and 1),
    tags            text    not null check (json_valid(tags)),
    scope_files     text    not null check (json_valid(scope_files)),
    context         text    not null check (json_type(context) = 'object'),
    episode_id      text references episode (id),
    perception_type text,
    created_at      integer not null,
    updated_at      integer not null,
    accessed_at     integer not null,
    access_count    integer not null default 0 check (access_count >= 0),
    status_reason   text,
    status_at       integer
) strict;

-- The first layer of dedup: one look-up, whatever the size of the store.
create index memory_by_hash on memory (scope_id, content_hash) where status = 'active';
-- Counting a scope and what decay touches reads this index alone.
create index memory_by_access on memory (scope_id, accessed_at, protected, confidence) where status = 'active';
create index memory_by_episode on memory (episode_id) where episode_id is not null;

-- A memory with its confidence aged to the scope's clock: lost at a daily rate since the last
-- access, not within the first day, not below 0.05, and never for protected categories.
create view current_memory as
select m.id, m.doc, m.scope_id, s.account_id, s.kind as scope_kind, s.name as scope_name, m.kind, m.status,
       m.content, m.summary, m.category, m.protected, m.tags, m.scope_files, m.context,
       m.episode_id, m.perception_type, m.created_at, m.updated_at, m.accessed_at,
       m.access_count, m.status_reason, m.status_at,
       case when m.protected = 0 and m.confidence > 0.05
                 and s.decayed_at - m.accessed_at > 86400000000
            then max(0.05, m.confidence
                     * pow(1 - s.decay_rate, (s.decayed_at - m.accessed_at) / 86400000000.0))
            else m.confidence
       end as confidence
  from memory m
  join scope s on s.id = m.scope_id;

-- What sensors delivered: outside the memory row, so that search never reads it.
create table payload (
    memory_id integer primary key references memory (id),
    data      blob,
    metadata  blob
) strict;

-- What search knows of a text, under a number of its own: a changed text is a new document, so
-- that every cache is append-only. `seq` tells caches what to read again.
create table document (
    doc      integer primary key,
    seq      integer not null,
    scope_id integer not null references scope (id),
    -- What was said or done in one run, in order: the hash of the episode's id.
    thread   integer,
    live     integer not null check (live in (0, 1)),
    terms    blob    not null
) strict;
create index document_by_seq on document (seq);

create table model (
    id         integer primary key,
    name       text    not null unique,
    dimensions integer not null check (dimensions > 0)
) strict;

-- Half-precision floats; each knows its model, so that vectors of two models never meet.
create table vector (
    doc      integer primary key references document (doc),
    model_id integer not null references model (id),
    data     blob    not null
) strict;

create table edge (
    id         integer primary key,
    from_id    integer not null references memory (id),
    to_id      integer not null references memory (id),
    relation   text    not null check (length(relation) > 0),
    created_at integer not null,
    unique (from_id, to_id, relation)
) strict;
create index edge_by_target on edge (to_id);

-- Who did what, when, and what it looked like before and after. Never changed, never deleted.
create table event (
    id        integer primary key,
    scope_id  integer not null references scope (id),
    memory_id integer references memory (id),
    verb      text    not null check (verb in ('created', 'duplicate', 'revised', 'forgotten',
                                               'superseded', 'restored', 'decayed')),
    actor     text    not null,
    at        integer not null,
    before    text check (json_valid(before)),
    after     text check (json_valid(after))
) strict;
create index event_by_memory on event (memory_id, id) where memory_id is not null;
