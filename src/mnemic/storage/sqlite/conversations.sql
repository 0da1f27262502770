-- name: conversation_get
-- One conversation of a scope.
select id, turns, created_at, updated_at from conversation
 where scope_id = :scope_id and id = :id;

-- name: conversation_latest
-- The one that goes on where none is named.
select id, turns, created_at, updated_at from conversation
 where scope_id = :scope_id order by updated_at desc, id desc limit 1;

-- name: conversations_listed
-- A page of a scope's conversations, the last used first, with what was said first in each.
select c.id, c.turns, c.created_at, c.updated_at,
       (select m.content
          from turn t
          join message m on m.turn_id = t.id and m.version = t.version and m.position = 0
         where t.scope_id = c.scope_id and t.conversation_id = c.id
         order by t.number limit 1) as opening
  from conversation c
 where c.scope_id = :scope_id
 order by c.updated_at desc, c.id desc limit :limit offset :offset;

-- name: conversation_add
-- A conversation begins with its first turn.
insert into conversation (scope_id, id, created_at, updated_at)
values (:scope_id, :id, :now, :now)
on conflict (scope_id, id) do nothing;

-- name: conversation_grow
-- Room for one more turn; what comes back is how many there are with it.
update conversation set turns = turns + 1, updated_at = max(updated_at, :now)
 where scope_id = :scope_id and id = :id
returning turns;

-- name: turn_add
-- What was said to each other once.
insert into turn (id, scope_id, conversation_id, number, idempotency_key, created_at, updated_at)
values (:id, :scope_id, :conversation_id, :number, :idempotency_key, :now, :now);

-- name: message_add
-- One thing that was said.
insert into message (id, turn_id, version, position, role, name, content)
values (:id, :turn_id, :version, :position, :role, :name, :content);

-- name: messages_of_turns
-- What was said in some turns of a conversation, in order.
select m.id, m.role, m.content, t.number, t.created_at
  from turn t join message m on m.turn_id = t.id and m.version = t.version
 where t.scope_id = :scope_id and t.conversation_id = :conversation_id and t.number >= :first
   and t.number < :after
 order by t.number, m.position;

-- name: source_add
-- A memory was made from a turn.
insert into source (memory_id, turn_id) values (:memory_id, :turn_id)
on conflict (memory_id, turn_id) do nothing;

-- name: source_find
-- Whether a memory was made from any turn at all.
select turn_id from source where memory_id = :memory_id limit 1;

-- name: sources_of_memory
-- What was said in the turns that a memory was made from, in order.
select t.id as turn_id, t.conversation_id, t.number, s.kind as scope_kind, s.name as scope_name,
       m.role, m.name, m.content
  from source o
  join turn t on t.id = o.turn_id
  join scope s on s.id = t.scope_id
  join message m on m.turn_id = t.id and m.version = t.version
 where o.memory_id = :memory_id and s.account_id = :account_id
 order by t.conversation_id, t.number, t.id, m.position limit :limit;

-- name: memories_of_conversation
-- What was made from this conversation and from no other one.
select distinct s.memory_id
  from turn t join source s on s.turn_id = t.id
 where t.scope_id = :scope_id and t.conversation_id = :conversation_id
   and not exists (select 1 from source o join turn u on u.id = o.turn_id
                    where o.memory_id = s.memory_id and u.conversation_id <> :conversation_id)
 order by s.memory_id;

-- name: conversation_drop
-- What was said in a conversation, and what was made from it, is gone with it.
delete from conversation where scope_id = :scope_id and id = :conversation_id;
