-- name: conversation_get
-- One conversation of a scope.
select id, turns, created_at, updated_at from conversation
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and id = %(id)s::text;

-- name: conversation_latest
-- The one that goes on where none is named.
select id, turns, created_at, updated_at from conversation
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
 order by updated_at desc, id desc limit 1;

-- name: conversations_listed
-- A page of a scope's conversations, the last used first, with what was said first in each.
select c.id, c.turns, c.created_at, c.updated_at,
       (select m.content
          from turn t
          join message m on m.account_id = %(account_id)s::bigint and m.turn_id = t.id
                        and m.version = t.version and m.position = 0
         where t.account_id = %(account_id)s::bigint
           and t.scope_id = c.scope_id and t.conversation_id = c.id
         order by t.number limit 1) as opening
  from conversation c
 where c.account_id = %(account_id)s::bigint and c.scope_id = %(scope_id)s::bigint
 order by c.updated_at desc, c.id desc limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: conversation_add
-- A conversation begins with its first turn.
insert into conversation (account_id, scope_id, id, created_at, updated_at)
values (%(account_id)s::bigint, %(scope_id)s::bigint, %(id)s::text, %(now)s::bigint,
        %(now)s::bigint)
on conflict (account_id, scope_id, id) do nothing;

-- name: conversation_grow
-- Room for one more turn; what comes back is how many there are with it.
update conversation set turns = turns + 1, updated_at = greatest(updated_at, %(now)s::bigint)
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint and id = %(id)s::text
returning turns;

-- name: turn_add
-- What was said to each other once.
insert into turn (account_id, id, scope_id, conversation_id, number, idempotency_key, created_at,
                  updated_at)
values (%(account_id)s::bigint, %(id)s::text, %(scope_id)s::bigint, %(conversation_id)s::text,
        %(number)s::bigint, %(idempotency_key)s::text, %(now)s::bigint, %(now)s::bigint);

-- name: message_add
-- One thing that was said.
insert into message (account_id, id, turn_id, version, position, role, name, content)
values (%(account_id)s::bigint, %(id)s::text, %(turn_id)s::text, %(version)s::bigint,
        %(position)s::smallint, %(role)s::text, %(name)s::text, %(content)s::text);

-- name: messages_of_turns
-- What was said in some turns of a conversation, in order.
select m.id, m.role, m.content, t.number, t.created_at
  from turn t join message m on m.account_id = t.account_id and m.turn_id = t.id
                     and m.version = t.version
 where t.account_id = %(account_id)s::bigint
   and t.scope_id = %(scope_id)s::bigint and t.conversation_id = %(conversation_id)s::text
   and t.number >= %(first)s::bigint and t.number < %(after)s::bigint
 order by t.number, m.position;

-- name: source_add
-- A memory was made from a turn.
insert into source (account_id, memory_id, turn_id)
values (%(account_id)s::bigint, %(memory_id)s::bigint, %(turn_id)s::text)
on conflict (account_id, memory_id, turn_id) do nothing;

-- name: source_find
-- Whether a memory was made from any turn at all.
select turn_id from source
 where account_id = %(account_id)s::bigint and memory_id = %(memory_id)s::bigint limit 1;

-- name: sources_of_memory
-- What was said in the turns that a memory was made from, in order.
select t.id as turn_id, t.conversation_id, t.number, s.kind as scope_kind, s.name as scope_name,
       m.role, m.name, m.content
  from source o
  join turn t on t.account_id = o.account_id and t.id = o.turn_id
  join scope s on s.account_id = o.account_id and s.id = t.scope_id
  join message m on m.account_id = o.account_id and m.turn_id = t.id and m.version = t.version
 where o.account_id = %(account_id)s::bigint and o.memory_id = %(memory_id)s::bigint
 order by t.conversation_id collate "C", t.number, t.id collate "C", m.position
 limit %(limit)s::bigint;

-- name: memories_of_conversation
-- What was made from this conversation and from no other one.
select distinct s.memory_id
  from turn t join source s on s.account_id = t.account_id and s.turn_id = t.id
 where t.account_id = %(account_id)s::bigint
   and t.scope_id = %(scope_id)s::bigint and t.conversation_id = %(conversation_id)s::text
   and not exists (select 1 from source o
                     join turn u on u.account_id = o.account_id and u.id = o.turn_id
                    where o.account_id = %(account_id)s::bigint and o.memory_id = s.memory_id
                      and u.conversation_id <> %(conversation_id)s::text)
 order by s.memory_id;

-- name: conversation_drop
-- What was said in a conversation, and what was made from it, is gone with it.
delete from conversation
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and id = %(conversation_id)s::text;
