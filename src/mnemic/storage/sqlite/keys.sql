-- name: key_add
-- A key comes into being; the secret itself is never here.
insert into api_key (id, account, name, hash, access, created_at, expires_at)
values (:id, :account, :name, :hash, :access, :now, :expires_at);

-- name: key_find
-- What a key allows, with the hash that its secret must have.
select id, account, name, hash, access, created_at, revoked_at, expires_at
  from api_key where id = :id;

-- name: keys_all
-- Every key of the store, for who looks after it.
select id, account, name, access, created_at, revoked_at, expires_at from api_key
 order by created_at, id;

-- name: key_revoke
-- A key is revoked once; the row stays, so that it can be told what became of it.
update api_key set revoked_at = :now where id = :id and revoked_at is null;

-- name: key_end
-- A key that was replaced works until then, or until its own end where that is sooner.
update api_key set expires_at = :expires_at
 where id = :id and revoked_at is null
   and (expires_at is null or expires_at > :expires_at);

-- name: keys_in_use
-- Whether anybody was given a key that was not revoked. One that ran out counts: that it did must
-- not open a server to everybody.
select exists (select 1 from api_key where revoked_at is null) as found;
