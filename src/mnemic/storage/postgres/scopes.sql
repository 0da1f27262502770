-- name: account_find
-- The number behind an account's name.
select id from account where name = %(name)s::text;

-- name: accounts_all
-- Whom a worker looks after: every account of the store.
select id from account order by id;

-- name: account_add
-- Two processes may open a new store at once: the second finds the first one's row.
insert into account (name, created_at) values (%(name)s, %(now)s) on conflict (name) do nothing;

-- name: receipt_add
-- That this transaction was committed. Nothing comes back where it was there already: the client
-- lost its connection after the commit. Each one sweeps up two that nobody will ask for any more.
with swept as (
    delete from receipt
     where account_id = %(account_id)s::bigint
       and token in (select token from receipt
                      where account_id = %(account_id)s::bigint and token < %(swept)s::uuid
                      order by token limit 2 for update skip locked)
)
insert into receipt (account_id, token) values (%(account_id)s::bigint, %(token)s::uuid)
on conflict (account_id, token) do nothing
returning token;

-- name: scope_find
-- The number behind a scope.
select id from scope
 where account_id = %(account_id)s::bigint and kind = %(kind)s::text and name = %(name)s::text;

-- name: scope_find_at
-- The number behind a scope, and whether something in it went out of use by itself by then.
select s.id, exists (select from memory m
                      where m.account_id = %(account_id)s::bigint and m.scope_id = s.id
                        and m.expires_at <= %(moment)s::bigint and m.status = 'active') as overdue
  from scope s
 where s.account_id = %(account_id)s::bigint and s.kind = %(kind)s::text
   and s.name = %(name)s::text;

-- name: scope_hold
-- The number behind a scope, for a writer: until its commit nobody else changes what is in there.
select id from scope
 where account_id = %(account_id)s::bigint and kind = %(kind)s::text and name = %(name)s::text
   for no key update;

-- name: scope_add
-- Scopes come into being when something is first put there; never in an account that was erased.
insert into scope (account_id, kind, name, created_at)
select id, %(kind)s, %(name)s, %(now)s::bigint from account
 where id = %(account_id)s::bigint and name <> 'erased/' || id
on conflict (account_id, kind, name) do nothing
returning id;

-- name: scope_decay
-- How far a scope has aged.
select decayed_at, decay_rate from scope
 where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint;

-- name: scope_decaying
-- How many memories lose confidence when the clock moves on: once a day, when a run ends.
select count(*) as decaying from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and status = 'active' and accessed_at < %(now)s::bigint - 86400000000
   and not protected and confidence > 0.05::double precision;

-- name: scope_set_decay
-- Decay is one write, whatever the size of the scope: current_memory does the arithmetic.
update scope set decayed_at = %(now)s::bigint, decay_rate = %(rate)s::double precision
 where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint;

-- name: scope_counts
-- How many memories in use each of an account's scopes of one kind holds.
select s.name, coalesce(sum(t.memories), 0)::bigint as memories
  from scope s
  left join tally t on t.account_id = s.account_id and t.scope_id = s.id
 where s.account_id = %(account_id)s::bigint and s.kind = %(kind)s::text
 group by s.id, s.name order by s.name collate "C";

-- name: scopes_page
-- A page of the scopes of one kind whose name has a part, by name; the next one starts after its last.
select s.name, s.created_at, coalesce(sum(t.memories), 0)::bigint as memories,
       max(t.changed_at) as changed_at
  from scope s
  left join tally t on t.account_id = s.account_id and t.scope_id = s.id
 where s.account_id = %(account_id)s::bigint and s.kind = %(kind)s::text
   and s.name collate "C" > %(after)s::text
   and (%(part)s::text is null or strpos(lower(s.name), lower(%(part)s::text)) > 0)
 group by s.id, s.name, s.created_at
 order by s.name collate "C" limit %(limit)s::bigint;

-- name: scope_made
-- Since when a scope is there.
select created_at from scope
 where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint;

-- name: account_made
-- Since when an account is there.
select created_at from account where id = %(account_id)s::bigint;

-- name: scope_numbers
-- How many scopes of each kind an account has.
select kind, count(*) as scopes from scope where account_id = %(account_id)s::bigint
 group by kind order by kind collate "C";

-- name: scope_named
-- What a scope is called.
select kind, name from scope where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint;
