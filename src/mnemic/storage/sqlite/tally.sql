-- name: tally_change
-- So many more or fewer memories of a kind are in use; 0 where one only changed.
insert into tally (scope_id, kind, memories, changed_at)
values (:scope_id, :kind, max(:change, 0), :now)
on conflict (scope_id, kind) do update
   set memories = memories + :change, changed_at = max(changed_at, :now);

-- name: tally_of_scope
-- What a scope holds, kind by kind.
select kind, memories, changed_at from tally where scope_id = :scope_id order by kind;

-- name: tally_by_kind
-- How much an account has in use: for each kind of scope and of memory, and in how many scopes.
select s.kind as scope_kind, t.kind, count(*) as scopes, sum(t.memories) as memories
  from scope s join tally t on t.scope_id = s.id
 where s.account_id = :account_id and t.memories > 0
 group by s.kind, t.kind order by s.kind, t.kind;

-- name: tally_by_scope
-- The fullest scopes of an account, and how many there are of each kind.
select scope_kind, scope_name, memories, scopes
  from (select s.kind as scope_kind, s.name as scope_name, sum(t.memories) as memories,
               count(*) over (partition by s.kind) as scopes,
               row_number() over (partition by s.kind order by sum(t.memories) desc, s.name)
                   as place
          from scope s join tally t on t.scope_id = s.id
         where s.account_id = :account_id and t.memories > 0
         group by s.id, s.kind, s.name)
 where place <= :limit
 order by scope_kind, memories desc, scope_name;

-- name: memory_categories
-- How many of an account's memories are of which category and status. Reads every memory: it is
-- for people who look, not for programs that ask often.
select m.status, m.category, count(*) as memories
  from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id
 group by m.status, m.category order by m.status, m.category;

-- name: tally_latest
-- Where something is in use, the last changed first: the newest memories stand there.
select t.scope_id, max(t.changed_at) as changed_at
  from scope s join tally t on t.scope_id = s.id
 where s.account_id = :account_id
 group by t.scope_id having sum(t.memories) > 0 order by 2 desc, 1 desc;
