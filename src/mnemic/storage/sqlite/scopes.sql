-- name: account_find
-- The number behind an account's name.
select id from account where name = :name;

-- name: accounts_all
-- Whom a worker looks after: every account of the store.
select id from account order by id;

-- name: account_add
-- Two processes may open a new store at once: the second finds the first one's row.
insert into account (name, created_at) values (:name, :now) on conflict (name) do nothing;

-- name: scope_find
-- The number behind a scope.
select id from scope where account_id = :account_id and kind = :kind and name = :name;

-- name: scope_find_at
-- The number behind a scope, and whether something in it went out of use by itself by then.
select s.id, exists (select 1 from memory m
                      where m.scope_id = s.id and m.expires_at <= :moment and m.status = 'active')
             as overdue
  from scope s where s.account_id = :account_id and s.kind = :kind and s.name = :name;

-- name: scope_hold
-- The number behind a scope, for a writer: here, every writer already holds the whole store.
select id from scope where account_id = :account_id and kind = :kind and name = :name;

-- name: scope_add
-- Scopes come into being when something is first put there; never in an account that was erased.
insert into scope (account_id, kind, name, created_at)
select id, :kind, :name, :now from account where id = :account_id and name <> 'erased/' || id
on conflict (account_id, kind, name) do nothing
returning id;

-- name: scope_decay
-- How far a scope has aged.
select decayed_at, decay_rate from scope where id = :scope_id;

-- name: scope_decaying
-- How many memories lose confidence when the clock moves to :now. Reads one index only.
select count(*) as decaying from memory
 where scope_id = :scope_id and status = 'active' and accessed_at < :now - 86400000000
   and protected = 0 and confidence > 0.05;

-- name: scope_set_decay
-- Decay is one write, whatever the size of the scope: current_memory does the arithmetic.
update scope set decayed_at = :now, decay_rate = :rate where id = :scope_id;

-- name: scope_counts
-- How many memories in use each of an account's scopes of one kind holds.
select s.name, coalesce(sum(t.memories), 0) as memories
  from scope s left join tally t on t.scope_id = s.id
 where s.account_id = :account_id and s.kind = :kind
 group by s.id order by s.name;

-- name: scopes_page
-- A page of the scopes of one kind whose name has a part, by name; the next one starts after its last.
select s.name, s.created_at, coalesce(sum(t.memories), 0) as memories,
       max(t.changed_at) as changed_at
  from scope s left join tally t on t.scope_id = s.id
 where s.account_id = :account_id and s.kind = :kind and s.name > :after
   and (:part is null or instr(lower(s.name), lower(:part)) > 0)
 group by s.id order by s.name limit :limit;

-- name: scope_made
-- Since when a scope is there.
select created_at from scope where id = :scope_id;

-- name: account_made
-- Since when an account is there.
select created_at from account where id = :account_id;

-- name: scope_numbers
-- How many scopes of each kind an account has.
select kind, count(*) as scopes from scope where account_id = :account_id group by kind
 order by kind;

-- name: scope_named
-- What a scope is called.
select kind, name from scope where account_id = :account_id and id = :scope_id;
