-- A key may end by itself. Who did what to the store is written down in ids and numbers: no text of
-- a memory, and of accounts, scopes and keys only the number or id, so that their names go when they
-- are erased. It stays, but for refused keys, which strangers cause. No account is the whole store;
-- no actor is the key's owner.
alter table api_key add column expires_at integer;

create table audit_entry (
    id         integer primary key,
    account_number integer references account (id),
    at         integer not null,
    actor      text,
    key_id     text,
    act        text    not null check (length(act) > 0),
    target     text,
    scope_id   integer,
    counts     text    not null check (json_type(counts) = 'object'),
    outcome    text    not null check (outcome in ('done', 'refused', 'failed')),
    request_id text,
    address    text,
    check (actor is not null or key_id is not null)
) strict;
create index audit_of_account on audit_entry (account_number, id);
create index audit_of_refused_keys on audit_entry (id) where act = 'key.refused';
