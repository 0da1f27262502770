-- name: erasure_begin
-- What is about to be erased, before anything is: whoever opens the store after a crash goes on.
insert into erasure (account_id, id, kind, account, mark, made_at, number, subject, counts, actor,
                     erased_at)
values (%(account_id)s::bigint, %(id)s, %(kind)s, %(account)s, %(mark)s, %(made_at)s, %(number)s,
        %(subject)s, '{}', %(actor)s, %(now)s)
on conflict (account_id, id) do nothing
returning id;

-- name: erasure_emptied
-- The rows are gone. What tells which they were goes too.
update erasure set subject = null, counts = %(counts)s::text
 where account_id = %(account_id)s::bigint and id = %(id)s::text;

-- name: erasure_finish
-- The last traces are gone.
update erasure set finished_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and id = %(id)s::text and finished_at is null;

-- name: erasures_unfinished
-- What was interrupted.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where account_id = %(account_id)s::bigint and finished_at is null
 order by erased_at, id collate "C";

-- name: erasure_get
-- One receipt.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where account_id = %(account_id)s::bigint and id = %(id)s::text;

-- name: erasures_all
-- The receipts of an account, the oldest first.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where account_id = %(account_id)s::bigint order by erased_at, id collate "C";

-- name: memory_ids_of_scope
-- The memories of a scope, whatever their status, in portions.
select id from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and id > %(after)s::bigint
 order by id limit %(limit)s;

-- name: memories_looks
-- What a receipt recognises memories by, in portions.
select m.id, m.scope_kind, m.scope_name, m.kind, m.created_at from current_memory m
 where m.account_id = %(account_id)s::bigint and m.id > %(after)s::bigint
 order by m.id limit %(limit)s;

-- name: memories_of_turns
-- What was made from some turns.
select distinct memory_id from source
 where account_id = %(account_id)s::bigint and turn_id = any(%(turn_ids)s::text[]);

-- name: turns_of_memories
-- From which turns memories were made.
select distinct turn_id from source
 where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: edges_superseding
-- Which memories were merged into which, on either side of some. What is only history follows from
-- nothing that came after it.
select e.from_id, e.to_id
  from edge e join memory o on o.account_id = e.account_id and o.id = e.to_id
 where e.account_id = %(account_id)s::bigint and e.relation = 'supersedes'
   and o.status = 'superseded'
   and (e.from_id = any(%(ids)s::bigint[]) or e.to_id = any(%(ids)s::bigint[]));

-- name: memories_said_after
-- What was said in a run just after some memories that are erased: its vector knows what they asked.
select distinct n.id
  from memory m
  join memory n
    on n.account_id = %(account_id)s::bigint
   and n.id = (select min(e.id) from memory e
                where e.account_id = %(account_id)s::bigint and e.episode_id = m.episode_id
                  and e.id > m.id and e.status = 'active' and e.id <> all(%(ids)s::bigint[]))
 where m.account_id = %(account_id)s::bigint and m.id = any(%(asking)s::bigint[]);

-- name: turn_home
-- In which session a turn was said.
select t.scope_id, t.conversation_id from turn t
 where t.account_id = %(account_id)s::bigint and t.id = %(turn_id)s::text;

-- name: item_uids
-- The items that some memories are kept as.
select uid from item
 where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: payloads_purge
-- What sensors delivered with memories that are erased.
delete from payload
 where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: activities_forget
-- What a user did last names no memory that is erased.
update activity set memory_id = null
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and memory_id = any(%(ids)s::bigint[]);

-- name: messages_redact
-- What was said in turns from which an erased memory was made.
update message set content = %(instead)s::text, name = null
 where account_id = %(account_id)s::bigint and turn_id = any(%(turn_ids)s::text[])
   and content <> %(instead)s::text;

-- name: versions_redact
-- What was found in those turns.
update version set extraction = %(instead)s::text
 where account_id = %(account_id)s::bigint and turn_id = any(%(turn_ids)s::text[]);

-- name: replies_of_scope
-- What was replied in the conversations of a scope.
select m.turn_id, m.version, m.position, m.content from message m
 where m.account_id = %(account_id)s::bigint
   and m.turn_id = any(array(select id from turn
                              where account_id = %(account_id)s::bigint
                                and scope_id = %(scope_id)s::bigint))
   and m.role = 'assistant';

-- name: message_redact
-- One thing that was said is gone.
update message set content = %(instead)s::text
 where account_id = %(account_id)s::bigint and turn_id = %(turn_id)s::text
   and version = %(version)s::bigint and position = %(position)s;

-- name: messages_quoting
-- Where somebody quoted an erased text in another turn.
update message set content = replace(content, %(text)s::text, %(instead)s::text)
 where account_id = %(account_id)s::bigint
   and turn_id = any(array(select id from turn
                            where account_id = %(account_id)s::bigint
                              and scope_id = %(scope_id)s::bigint))
   and position(%(text)s::text in content) > 0;

-- name: events_quoting
-- The journal of other memories, where it holds an erased text.
delete from event
 where account_id = %(account_id)s::bigint
   and memory_id = any(array(select id from memory
                              where account_id = %(account_id)s::bigint
                                and scope_id = %(scope_id)s::bigint))
   and (position(%(text)s::text in before) > 0 or position(%(text)s::text in after) > 0);

-- name: vectors_of_scope_drop
-- The vectors of a scope that is erased.
delete from memory_vector
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: documents_live_drop
-- What search knew of a scope that is erased.
delete from document
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint and live;

-- name: documents_retired_drop
-- The same, of what could no longer be found.
delete from document
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint and not live;

-- name: episodes_of_scope_drop
-- The runs of a collection that is erased.
delete from episode
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: messages_of_scope_drop
-- What was said in a scope that is erased.
delete from message
 where account_id = %(account_id)s::bigint
   and turn_id = any(array(select id from turn
                            where account_id = %(account_id)s::bigint
                              and scope_id = %(scope_id)s::bigint));

-- name: turns_of_scope_drop
-- The turns, with their versions and places.
delete from turn
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: conversations_of_scope_drop
-- The conversations, with their branches.
delete from conversation
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: messages_of_conversation_drop
-- What was said in one conversation.
delete from message
 where account_id = %(account_id)s::bigint
   and turn_id = any(array(select id from turn
                            where account_id = %(account_id)s::bigint
                              and scope_id = %(scope_id)s::bigint
                              and conversation_id = %(conversation_id)s::text));

-- name: tallies_drop
-- How many memories an erased scope had in use.
delete from tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: activities_drop
-- What an erased user did last.
delete from activity
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: usages_drop
-- How often an erased user did anything.
delete from usage
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: item_tallies_drop
-- How many items an erased scope had.
delete from item_tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: scope_erase
-- Of the scope its number is left, which never means another one.
update scope set kind = 'resting', name = 'erased/' || id, decayed_at = null, decay_rate = 0
 where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint;

-- name: scopes_all
-- Every scope of an account.
select kind, name, created_at from scope where account_id = %(account_id)s::bigint order by id;

-- name: conversations_all
-- Every conversation of an account, with whose it is.
select c.id, c.created_at, s.kind as scope_kind, s.name as scope_name
  from conversation c
  join scope s on s.account_id = c.account_id and s.id = c.scope_id
 where c.account_id = %(account_id)s::bigint;

-- name: keys_drop
-- An erased account lets nobody in.
delete from api_key
 where account = (select name from account where id = %(account_id)s::bigint);

-- name: account_erase
-- Of an account its number is left.
update account set name = 'erased/' || id where id = %(account_id)s::bigint;

-- name: account_name
-- What an account is called.
select name from account where id = %(account_id)s::bigint;

-- name: item_uids_all
-- What a receipt recognises items by, in portions.
select memory_id, uid from item
 where account_id = %(account_id)s::bigint and memory_id > %(after)s::bigint order by memory_id limit %(limit)s;
