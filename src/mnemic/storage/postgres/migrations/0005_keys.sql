-- Keys let programs in, each as one account. Of a key only a hash is kept. An account is told by
-- its name here: who it is gets known by the key, so no account can be asked for it before.
create table api_key (
    id         text   primary key check (length(id) > 0),
    account    text   not null references account (name),
    name       text   not null check (length(name) > 0),
    hash       bytea  not null check (octet_length(hash) = 32),
    access     text   not null check (access in ('read', 'write', 'admin')),
    created_at bigint not null,
    revoked_at bigint
);
