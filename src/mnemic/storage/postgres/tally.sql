-- name: tally_change
-- So many more or fewer memories of a kind are in use; 0 where one only changed.
insert into tally (account_id, scope_id, kind, memories, changed_at)
values (%(account_id)s::bigint, %(scope_id)s, %(kind)s, greatest(%(change)s::bigint, 0), %(now)s)
on conflict (account_id, scope_id, kind) do update
   set memories = tally.memories + %(change)s::bigint,
       changed_at = greatest(tally.changed_at, %(now)s::bigint);

-- name: tally_of_scope
-- What a scope holds, kind by kind.
select kind, memories, changed_at from tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
 order by kind collate "C";

-- name: tally_by_kind
-- How much an account has in use: for each kind of scope and of memory, and in how many scopes.
select s.kind as scope_kind, t.kind, count(*) as scopes, sum(t.memories)::bigint as memories
  from scope s join tally t on t.account_id = s.account_id and t.scope_id = s.id
 where s.account_id = %(account_id)s::bigint and t.memories > 0
 group by s.kind, t.kind order by s.kind collate "C", t.kind collate "C";

-- name: tally_by_scope
-- The fullest scopes of an account, and how many there are of each kind.
select scope_kind, scope_name, memories, scopes
  from (select s.kind as scope_kind, s.name as scope_name, sum(t.memories)::bigint as memories,
               count(*) over (partition by s.kind) as scopes,
               row_number() over (partition by s.kind
                                  order by sum(t.memories) desc, s.name collate "C") as place
          from scope s join tally t on t.account_id = s.account_id and t.scope_id = s.id
         where s.account_id = %(account_id)s::bigint and t.memories > 0
         group by s.id, s.kind, s.name) fullest
 where place <= %(limit)s::bigint
 order by scope_kind collate "C", memories desc, scope_name collate "C";

-- name: memory_categories
-- How many of an account's memories are of which category and status. Reads every memory: it is
-- for people who look, not for programs that ask often.
select status, category, count(*) as memories from memory
 where account_id = %(account_id)s::bigint
 group by status, category order by status collate "C", category collate "C";

-- name: tally_latest
-- Where something is in use, the last changed first: the newest memories stand there.
select scope_id, max(changed_at) as changed_at from tally
 where account_id = %(account_id)s::bigint
 group by scope_id having sum(memories) > 0 order by 2 desc, 1 desc;
