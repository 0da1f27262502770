-- name: erasure_begin
-- What is about to be erased, before anything is: whoever opens the store after a crash goes on.
insert into erasure (id, account_id, kind, account, mark, made_at, number, subject, counts, actor,
                     erased_at)
values (:id, :account_id, :kind, :account, :mark, :made_at, :number, :subject, '{}', :actor, :now)
on conflict (id) do nothing
returning id;

-- name: erasure_emptied
-- The rows are gone. What tells which they were goes too.
update erasure set subject = null, counts = :counts
 where account_id = :account_id and id = :id;

-- name: erasure_finish
-- The last traces are gone.
update erasure set finished_at = :now
 where account_id = :account_id and id = :id and finished_at is null;

-- name: erasures_unfinished
-- What was interrupted, of whichever account: they share the file.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where finished_at is null order by erased_at, id;

-- name: erasure_get
-- One receipt.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where account_id = :account_id and id = :id;

-- name: erasures_all
-- The receipts of an account, the oldest first.
select account_id, id, kind, account, mark, made_at, number, subject, counts, actor, erased_at,
       finished_at
  from erasure where account_id = :account_id order by erased_at, id;

-- name: memory_ids_of_scope
-- The memories of a scope, whatever their status, in portions.
select id from memory where scope_id = :scope_id and id > :after order by id limit :limit;

-- name: memories_looks
-- What a receipt recognises memories by, in portions.
select m.id, s.kind as scope_kind, s.name as scope_name, m.kind, m.created_at
  from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id and m.id > :after order by m.id limit :limit;

-- name: memories_of_turns
-- What was made from some turns.
select distinct memory_id from source where turn_id in (select value from json_each(:turn_ids));

-- name: turns_of_memories
-- From which turns memories were made.
select distinct turn_id from source where memory_id in (select value from json_each(:ids));

-- name: edges_superseding
-- Which memories were merged into which, on either side of some. What is only history follows from
-- nothing that came after it.
select e.from_id, e.to_id from edge e join memory o on o.id = e.to_id
 where e.relation = 'supersedes' and o.status = 'superseded'
   and (e.from_id in (select value from json_each(:ids))
        or e.to_id in (select value from json_each(:ids)));

-- name: memories_said_after
-- What was said in a run just after some memories that are erased: its vector knows what they asked.
select distinct n.id
  from memory m
  join memory n
    on n.id = (select min(e.id) from memory e
                where e.episode_id = m.episode_id and e.id > m.id and e.status = 'active'
                  and e.id not in (select value from json_each(:ids)))
 where m.id in (select value from json_each(:asking));

-- name: turn_home
-- In which session a turn was said.
select t.scope_id, t.conversation_id from turn t
  join scope s on s.id = t.scope_id
 where s.account_id = :account_id and t.id = :turn_id;

-- name: item_uids
-- The items that some memories are kept as.
select uid from item
 where account_id = :account_id and memory_id in (select value from json_each(:ids));

-- name: payloads_purge
-- What sensors delivered with memories that are erased.
delete from payload where memory_id in (select value from json_each(:ids));

-- name: activities_forget
-- What a user did last names no memory that is erased.
update activity set memory_id = null
 where scope_id = :scope_id and memory_id in (select value from json_each(:ids));

-- name: messages_redact
-- What was said in turns from which an erased memory was made.
update message set content = :instead, name = null
 where turn_id in (select value from json_each(:turn_ids)) and content <> :instead;

-- name: versions_redact
-- What was found in those turns.
update version set extraction = :instead where turn_id in (select value from json_each(:turn_ids));

-- name: replies_of_scope
-- What was replied in the conversations of a scope.
select m.turn_id, m.version, m.position, m.content
  from turn t join message m on m.turn_id = t.id
 where t.scope_id = :scope_id and m.role = 'assistant';

-- name: message_redact
-- One thing that was said is gone.
update message set content = :instead
 where turn_id = :turn_id and version = :version and position = :position;

-- name: messages_quoting
-- Where somebody quoted an erased text in another turn.
update message set content = replace(content, :text, :instead)
 where turn_id in (select id from turn where scope_id = :scope_id) and instr(content, :text) > 0;

-- name: events_quoting
-- The journal of other memories, where it holds an erased text.
delete from event
 where memory_id in (select id from memory where scope_id = :scope_id)
   and (instr(before, :text) > 0 or instr(after, :text) > 0);

-- name: vectors_of_scope_drop
-- The vectors of a scope that is erased.
delete from vector where doc in (select doc from document where scope_id = :scope_id);

-- name: documents_live_drop
-- What search knew of a scope that is erased.
delete from document where scope_id = :scope_id and live = 1;

-- name: documents_retired_drop
-- The same, of what could no longer be found.
delete from document where scope_id = :scope_id and live = 0;

-- name: episodes_of_scope_drop
-- The runs of a collection that is erased.
delete from episode where scope_id = :scope_id;

-- name: messages_of_scope_drop
-- What was said in a scope that is erased.
delete from message where turn_id in (select id from turn where scope_id = :scope_id);

-- name: turns_of_scope_drop
-- The turns, with their versions and places.
delete from turn where scope_id = :scope_id;

-- name: conversations_of_scope_drop
-- The conversations, with their branches.
delete from conversation where scope_id = :scope_id;

-- name: messages_of_conversation_drop
-- What was said in one conversation.
delete from message
 where turn_id in (select id from turn
                    where scope_id = :scope_id and conversation_id = :conversation_id);

-- name: tallies_drop
-- How many memories an erased scope had in use.
delete from tally where scope_id = :scope_id;

-- name: activities_drop
-- What an erased user did last.
delete from activity where scope_id = :scope_id;

-- name: usages_drop
-- How often an erased user did anything.
delete from usage where scope_id = :scope_id;

-- name: item_tallies_drop
-- How many items an erased scope had.
delete from item_tally where scope_id = :scope_id;

-- name: scope_erase
-- Of the scope its number is left, which never means another one.
update scope set kind = 'resting', name = 'erased/' || id, decayed_at = null, decay_rate = 0
 where id = :scope_id;

-- name: scopes_all
-- Every scope of an account.
select kind, name, created_at from scope where account_id = :account_id order by id;

-- name: conversations_all
-- Every conversation of an account, with whose it is.
select c.id, c.created_at, s.kind as scope_kind, s.name as scope_name
  from conversation c join scope s on s.id = c.scope_id where s.account_id = :account_id;

-- name: keys_drop
-- An erased account lets nobody in.
delete from api_key where account = (select name from account where id = :account_id);

-- name: account_erase
-- Of an account its number is left.
update account set name = 'erased/' || id where id = :account_id;

-- name: account_name
-- What an account is called.
select name from account where id = :account_id;

-- name: item_uids_all
-- What a receipt recognises items by, in portions.
select memory_id, uid from item
 where account_id = :account_id and memory_id > :after order by memory_id limit :limit;
