-- That something was erased, without a word of what it said: what kind of thing, a mark by which the
-- same thing is recognised in an older copy, how much of it there was, when, and by whom.
create table erasure (
    id          text    primary key check (length(id) > 0),
    account_id  integer not null references account (id),
    kind        text    not null check (kind in ('memory', 'conversation', 'session', 'user',
                                                 'collection', 'account')),
    mark        text    not null,
    -- The mark of its account, which may be gone with it.
    account     text    not null,
    -- When it had come into being: another one of the same name is not meant.
    made_at     integer not null,
    -- The number that a memory had.
    number      integer,
    -- What is still to be erased; null as soon as it is gone.
    subject     text,
    counts      text    not null check (json_type(counts) = 'object'),
    actor       text    not null,
    erased_at   integer not null,
    -- When its last traces were gone: free pages, the log, and what lies beside the file.
    finished_at integer
) strict, without rowid;
create index erasure_by_time on erasure (account_id, erased_at, id);
create index erasure_unfinished on erasure (account_id) where finished_at is null;

-- What can no longer be found needs none of what search knew of it.
update document set thread = null, speaker = null, said_at = null where live = 0;

-- Counts the erasures: an index that was read before one of them is not kept beside the file.
alter table snapshot add column erasures integer not null default 0;

-- What belongs to a collection goes with it.
create index episode_by_scope on episode (scope_id);
