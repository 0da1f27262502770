-- That something was erased, without a word of what it said: what kind of thing, a mark by which the
-- same thing is recognised in an older copy, how much of it there was, when, and by whom.
create table erasure (
    account_id  bigint not null references account (id),
    id          text   not null check (length(id) > 0),
    kind        text   not null check (kind in ('memory', 'conversation', 'session', 'user',
                                                'collection', 'account')),
    mark        text   not null,
    -- The mark of its account, which may be gone with it.
    account     text   not null,
    -- When it had come into being: another one of the same name is not meant.
    made_at     bigint not null,
    -- The number that a memory had.
    number      bigint,
    -- What is still to be erased; null as soon as it is gone.
    subject     text,
    counts      text   not null,
    actor       text   not null,
    erased_at   bigint not null,
    -- When its last traces were gone.
    finished_at bigint,
    primary key (account_id, id)
);
create index erasure_by_time on erasure (account_id, erased_at, id collate "C");
create index erasure_unfinished on erasure (account_id) where finished_at is null;
alter table erasure enable row level security;
create policy own_account on erasure using (account_id =
    (select nullif(current_setting('mnemic.account', true), '')::bigint));

-- What can no longer be found needs none of what search knew of it.
update document set thread = null, speaker = null, said_at = null where not live;

-- What belongs to a collection goes with it.
create index episode_by_scope on episode (account_id, scope_id);

-- An account that is erased loses its name and its keys. Everybody may look for an account or a key,
-- because who somebody is gets known by them; only an account itself is renamed and loses its keys.
alter table account enable row level security;
create policy looked_for on account for select using (true);
create policy made on account for insert with check (true);
create policy own_account on account for update using (id =
    (select nullif(current_setting('mnemic.account', true), '')::bigint));
alter table api_key enable row level security;
create policy looked_for on api_key for select using (true);
create policy made on api_key for insert with check (true);
create policy changed on api_key for update using (true);
create policy own_account on api_key for delete using (account =
    (select name from account
      where id = (select nullif(current_setting('mnemic.account', true), '')::bigint)));
