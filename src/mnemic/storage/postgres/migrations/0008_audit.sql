-- A key may end by itself. Who did what to the store is written down in ids and numbers: no text of
-- a memory, and of accounts, scopes and keys only the number or id, so that their names go when they
-- are erased. It stays, but for refused keys, which strangers cause. No account is the whole store;
-- no actor is the key's owner.
alter table api_key add column expires_at bigint;

create sequence audit_number as bigint;

create table audit_entry (
    id         bigint  primary key default nextval('audit_number'),
    account_number bigint  references account (id),
    at         bigint  not null,
    actor      text,
    key_id     text,
    act        text    not null check (length(act) > 0),
    target     text,
    scope_id   bigint,
    counts     text    not null,
    outcome    text    not null check (outcome in ('done', 'refused', 'failed')),
    request_id text,
    address    text,
    check (actor is not null or key_id is not null)
);
create index audit_of_account on audit_entry (account_number, id);
create index audit_of_refused_keys on audit_entry (id) where act = 'key.refused';

-- Who looks after the store sees all of it: only a transaction that names no account does. An
-- account sees what was done to it, and writes in its own name only. Nobody changes an entry.
alter table audit_entry enable row level security;
create policy own_account_or_none on audit_entry for select using (
    (select nullif(current_setting('mnemic.account', true), '')) is null
    or account_number = (select nullif(current_setting('mnemic.account', true), '')::bigint));
create policy in_own_name on audit_entry for insert with check (
    (select nullif(current_setting('mnemic.account', true), '')) is null
    or account_number = (select nullif(current_setting('mnemic.account', true), '')::bigint));
create policy only_refused_keys on audit_entry for delete using (
    act = 'key.refused' and (select nullif(current_setting('mnemic.account', true), '')) is null);
