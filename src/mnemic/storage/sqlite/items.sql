-- name: item_put
-- What a chat keeps of a memory, new or changed as a whole.
insert into item (
    account_id, memory_id, doc, uid, scope_id, scope_kind, kind, tier, fact_key, importance,
    confidence, floor_id, message_id, job_id, status, lifecycle, wrapped, tokens, used_at,
    coverage_start, coverage_end, derived_from, pinned, extractor, note, origin, turn_id, version,
    edited, edited_at, decided_at, displaced_by, created_at, updated_at)
values (
    :account_id, :memory_id, :doc, :uid, :scope_id, :scope_kind, :kind, :tier, :fact_key,
    :importance, :confidence, :floor_id, :message_id, :job_id, :status, :lifecycle, :wrapped,
    :tokens, :used_at, :coverage_start, :coverage_end, :derived_from, :pinned, :extractor, :note,
    :origin, :turn_id, :version, :edited, :edited_at, :decided_at,
    :displaced_by, :created_at, :updated_at)
on conflict (memory_id) do update set
    doc = excluded.doc, scope_id = excluded.scope_id, scope_kind = excluded.scope_kind,
    kind = excluded.kind, tier = excluded.tier, fact_key = excluded.fact_key,
    importance = excluded.importance, confidence = excluded.confidence,
    floor_id = excluded.floor_id, message_id = excluded.message_id, job_id = excluded.job_id,
    status = excluded.status, lifecycle = excluded.lifecycle, wrapped = excluded.wrapped,
    tokens = excluded.tokens, used_at = excluded.used_at,
    coverage_start = excluded.coverage_start, coverage_end = excluded.coverage_end,
    derived_from = excluded.derived_from, pinned = excluded.pinned,
    extractor = excluded.extractor, note = excluded.note, origin = excluded.origin,
    turn_id = excluded.turn_id, version = excluded.version, edited = excluded.edited,
    edited_at = excluded.edited_at, decided_at = excluded.decided_at,
    displaced_by = excluded.displaced_by, updated_at = excluded.updated_at;

-- name: items_get
-- Items by their ids, with the texts.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
 where i.account_id = :account_id and i.uid in (select value from json_each(:uids));

-- name: items_pinned
-- What always goes in. The scopes are the account's own.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
 where i.scope_id in (select value from json_each(:scope_ids)) and i.pinned = 1;

-- name: items_by_docs
-- The items behind some documents.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
 where i.account_id = :account_id and i.doc in (select value from json_each(:docs));

-- name: item_texts
-- Just the texts behind some documents, to look for words in them.
select doc, content from memory where doc in (select value from json_each(:docs));

-- name: item_set_document
-- Search knows an item under another number.
update item set doc = :doc where memory_id = :id;

-- name: items_page
-- A page of a list: the rows are chosen before their texts are read.
with page as (select * from item i where {filter} limit :limit offset :offset)
select p.*, m.content, s.name as scope_name
  from page p
  join memory m on m.id = p.memory_id
  join scope s on s.id = p.scope_id;

-- name: items_count
-- How many there are, where no tally knows.
select count(*) as items from item i where {filter};

-- name: items_scopes
-- In which scopes some items are.
select distinct i.scope_id from item i where {filter};

-- name: items_sums
-- What some items come to, where no tally knows.
select kind, status, count(*) as items,
       sum(cast(round(importance * 1e9) as integer)) as importance,
       sum(cast(round(confidence * 1e9) as integer)) as confidence, sum(tokens) as tokens
  from item i where {filter} group by kind, status;

-- name: items_projected
-- Everything that was made from the turns of a scope, and everything that a turn took out of use.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
 where i.scope_id = :scope_id and (i.origin is not null or i.displaced_by is not null);

-- name: items_along
-- What some turns made or took out of use in the scope of a branch, or what has these ids, with the
-- floors at which each came into use and went out of it. The cross join keeps the planner from walking
-- through all that the scope holds.
with chosen as (
    select memory_id from item where turn_id in (select value from json_each(:turn_ids))
    union
    select memory_id from item where displaced_by in (select value from json_each(:turn_ids))
    union
    select memory_id from item
     where account_id = :account_id and uid in (select value from json_each(:uids))
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  cross join item i on i.memory_id = c.memory_id
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
  left join path b on b.turn_id = i.turn_id and b.scope_id = :session_scope_id
                  and b.conversation_id = :conversation_id and b.branch_id = :branch_id
  left join path d on d.turn_id = i.displaced_by and d.scope_id = :session_scope_id
                  and d.conversation_id = :conversation_id and d.branch_id = :branch_id
 where i.scope_id = :scope_id
   and i.kind in (select value from json_each(:kinds))
   and (d.number is null or d.number >= :number);

-- name: items_held
-- The facts under some keys that are in use just before a floor.
with chosen as (
    select memory_id from item
     where account_id = :account_id and fact_key in (select value from json_each(:keys))
       and scope_id = :scope_id and (status = 'active' or displaced_by is not null)
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  join item i on i.memory_id = c.memory_id
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
  left join path b on b.turn_id = i.turn_id and b.scope_id = :session_scope_id
                  and b.conversation_id = :conversation_id and b.branch_id = :branch_id
  left join path d on d.turn_id = i.displaced_by and d.scope_id = :session_scope_id
                  and d.conversation_id = :conversation_id and d.branch_id = :branch_id
 where i.scope_id = :scope_id
   and (i.turn_id is null or b.number < :number) and (d.number is null or d.number >= :number);

-- name: items_by_hand
-- The newest facts and open loops of a scope that were written by hand between two moments.
with chosen as (
    select memory_id from item
     where scope_id = :scope_id and created_at between :since and :until
       and origin is null and kind <> 'summary'
     order by created_at desc, uid desc limit :most
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  join item i on i.memory_id = c.memory_id
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
  left join path b on b.turn_id = i.turn_id and b.scope_id = :session_scope_id
                  and b.conversation_id = :conversation_id and b.branch_id = :branch_id
  left join path d on d.turn_id = i.displaced_by and d.scope_id = :session_scope_id
                  and d.conversation_id = :conversation_id and d.branch_id = :branch_id
 where i.scope_id = :scope_id;

-- name: items_of_turn
-- What was made from a turn, in whichever scope. The plus keeps the planner from the indexes by account.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.id = i.memory_id
  join scope s on s.id = i.scope_id
 where i.turn_id = :turn_id and +i.account_id = :account_id;

-- name: items_used
-- That items were injected.
update item set used_at = max(coalesce(used_at, 0), :now)
 where account_id = :account_id and uid in (select value from json_each(:uids));

-- name: item_tally_change
-- So many more or fewer items of a sort, and what they come to.
insert into item_tally (scope_id, kind, tier, status, lifecycle, items, importance, confidence,
                        tokens)
values (:scope_id, :kind, :tier, :status, :lifecycle, max(:items, 0), :importance, :confidence,
        :tokens)
on conflict (scope_id, kind, tier, status, lifecycle) do update
   set items = items + :items, importance = importance + :importance,
       confidence = confidence + :confidence, tokens = tokens + :tokens;

-- name: item_tally_of_scope
-- What a scope holds.
select kind, tier, status, lifecycle, items, importance, confidence, tokens from item_tally
 where scope_id = :scope_id;

-- name: item_tally_of_account
-- What all scopes of an account hold together, or all of one kind.
select t.kind, t.tier, t.status, t.lifecycle, sum(t.items) as items,
       sum(t.importance) as importance, sum(t.confidence) as confidence, sum(t.tokens) as tokens
  from scope s join item_tally t on t.scope_id = s.id
 where s.account_id = :account_id and (:scope_kind is null or s.kind = :scope_kind)
 group by t.kind, t.tier, t.status, t.lifecycle;

-- name: struck_add
-- An item that was made from a turn was deleted by hand.
insert into struck (scope_id, uid, struck_at, origin) values (:scope_id, :uid, :now, :origin)
on conflict (scope_id, uid) do nothing;

-- name: struck_of_scope
-- What must not come back, and since when.
select uid, struck_at, origin from struck where scope_id = :scope_id;

-- name: edges_purge
-- The relations of memories that are deleted.
delete from edge
 where from_id in (select value from json_each(:ids))
    or to_id in (select value from json_each(:ids));

-- name: events_purge
-- The history of memories that are deleted goes with them: it holds their texts.
delete from event where memory_id in (select value from json_each(:ids));

-- name: sources_purge
-- Where memories that are deleted came from.
delete from source where memory_id in (select value from json_each(:ids));

-- name: items_purge
-- What a chat kept of memories that are deleted.
delete from item where memory_id in (select value from json_each(:ids));

-- name: memories_reinstate
-- What was superseded by what is gone is current again.
update memory set valid_until = null, superseded_by = null
 where superseded_by in (select value from json_each(:ids));

-- name: memories_purge
-- Memories that are deleted.
delete from memory where id in (select value from json_each(:ids));

-- name: memory_of_item
-- The memory behind an item follows it: its text, its place, whether it is in use, and since when
-- it is not.
update memory
   set doc = :doc, scope_id = :scope_id, kind = :kind, status = :status, content = :content,
       summary = :summary, content_hash = :content_hash, confidence = :confidence,
       updated_at = :now, status_reason = :reason,
       status_at = case when status = :status then coalesce(status_at, :status_at)
                        else :status_at end
 where id = :memory_id;

-- name: scopes_of_kinds
-- All scopes of some kinds.
select id, kind, name from scope
 where account_id = :account_id and kind in (select value from json_each(:kinds));

-- name: scope_state_grow
-- The memory of a scope is another one.
insert into scope_state (scope_id, revision, updated_at) values (:scope_id, 1, :now)
on conflict (scope_id) do update set revision = revision + 1, updated_at = :now
returning revision;
