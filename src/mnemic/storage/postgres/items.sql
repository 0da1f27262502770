-- name: item_put
-- What a chat keeps of a memory, new or changed as a whole.
insert into item (
    account_id, memory_id, doc, uid, scope_id, scope_kind, kind, tier, fact_key, importance,
    confidence, floor_id, message_id, job_id, status, lifecycle, wrapped, tokens, used_at,
    coverage_start, coverage_end, derived_from, pinned, extractor, note, origin, turn_id, version,
    edited, edited_at, decided_at, displaced_by, created_at, updated_at)
values (
    %(account_id)s::bigint, %(memory_id)s, %(doc)s, %(uid)s, %(scope_id)s, %(scope_kind)s,
    %(kind)s, %(tier)s, %(fact_key)s, %(importance)s, %(confidence)s, %(floor_id)s,
    %(message_id)s, %(job_id)s, %(status)s, %(lifecycle)s, %(wrapped)s, %(tokens)s, %(used_at)s,
    %(coverage_start)s, %(coverage_end)s, %(derived_from)s, %(pinned)s, %(extractor)s, %(note)s,
    %(origin)s, %(turn_id)s, %(version)s, %(edited)s, %(edited_at)s, %(decided_at)s,
    %(displaced_by)s, %(created_at)s, %(updated_at)s)
on conflict (account_id, memory_id) do update set
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
  join memory m on m.account_id = i.account_id and m.id = i.memory_id
  join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint and i.uid collate "C" = any(%(uids)s::text[]);

-- name: items_pinned
-- What always goes in.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.account_id = i.account_id and m.id = i.memory_id
  join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint
   and i.scope_id = any(%(scope_ids)s::bigint[]) and i.pinned;

-- name: items_by_docs
-- The items behind some documents.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.account_id = i.account_id and m.id = i.memory_id
  join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint and i.doc = any(%(docs)s::bigint[]);

-- name: item_texts
-- Just the texts behind some documents, to look for words in them.
select doc, content from memory
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);

-- name: item_set_document
-- Search knows an item under another number.
update item set doc = %(doc)s
 where account_id = %(account_id)s::bigint and memory_id = %(id)s::bigint;

-- name: items_page
-- A page of a list: the rows are chosen before their texts are read.
with page as materialized (
    select * from item i where {filter} limit %(limit)s::bigint offset %(offset)s::bigint
)
select p.*, m.content, s.name as scope_name
  from page p
  join memory m on m.account_id = %(account_id)s::bigint and m.id = p.memory_id
  join scope s on s.account_id = %(account_id)s::bigint and s.id = p.scope_id;

-- name: items_count
-- How many there are, where no tally knows.
select count(*) as items from item i where {filter};

-- name: items_scopes
-- In which scopes some items are.
select distinct i.scope_id from item i where {filter};

-- name: items_sums
-- What some items come to, where no tally knows.
select kind, status, count(*) as items,
       sum(round(importance * 1e9)::bigint)::bigint as importance,
       sum(round(confidence * 1e9)::bigint)::bigint as confidence, sum(tokens)::bigint as tokens
  from item i where {filter} group by kind, status;

-- name: items_projected
-- Everything that was made from the turns of a scope, and everything that a turn took out of use.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.account_id = i.account_id and m.id = i.memory_id
  join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint and i.scope_id = %(scope_id)s::bigint
   and (i.origin is not null or i.displaced_by is not null);

-- name: items_along
-- What some turns made or took out of use in the scope of a branch, or what has these ids, with the
-- floors at which each came into use and went out of it.
with chosen as materialized (
    select memory_id from item
     where account_id = %(account_id)s::bigint and turn_id = any (%(turn_ids)s::text[])
    union
    select memory_id from item
     where account_id = %(account_id)s::bigint and displaced_by = any (%(turn_ids)s::text[])
    union
    select memory_id from item
     where account_id = %(account_id)s::bigint and uid collate "C" = any (%(uids)s::text[])
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  join item i on i.account_id = %(account_id)s::bigint and i.memory_id = c.memory_id
  join memory m on m.account_id = %(account_id)s::bigint and m.id = i.memory_id
  join scope s on s.account_id = %(account_id)s::bigint and s.id = i.scope_id
  left join path b on b.account_id = %(account_id)s::bigint and b.turn_id = i.turn_id
                  and b.scope_id = %(session_scope_id)s::bigint
                  and b.conversation_id = %(conversation_id)s::text
                  and b.branch_id = %(branch_id)s::text
  left join path d on d.account_id = %(account_id)s::bigint and d.turn_id = i.displaced_by
                  and d.scope_id = %(session_scope_id)s::bigint
                  and d.conversation_id = %(conversation_id)s::text
                  and d.branch_id = %(branch_id)s::text
 where i.scope_id = %(scope_id)s::bigint and i.kind = any (%(kinds)s::text[])
   and (d.number is null or d.number >= %(number)s::bigint);

-- name: items_held
-- The facts under some keys that are in use just before a floor.
with chosen as materialized (
    select memory_id from item
     where account_id = %(account_id)s::bigint and fact_key = any (%(keys)s::text[])
       and scope_id = %(scope_id)s::bigint and (status = 'active' or displaced_by is not null)
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  join item i on i.account_id = %(account_id)s::bigint and i.memory_id = c.memory_id
  join memory m on m.account_id = %(account_id)s::bigint and m.id = i.memory_id
  join scope s on s.account_id = %(account_id)s::bigint and s.id = i.scope_id
  left join path b on b.account_id = %(account_id)s::bigint and b.turn_id = i.turn_id
                  and b.scope_id = %(session_scope_id)s::bigint
                  and b.conversation_id = %(conversation_id)s::text
                  and b.branch_id = %(branch_id)s::text
  left join path d on d.account_id = %(account_id)s::bigint and d.turn_id = i.displaced_by
                  and d.scope_id = %(session_scope_id)s::bigint
                  and d.conversation_id = %(conversation_id)s::text
                  and d.branch_id = %(branch_id)s::text
 where i.scope_id = %(scope_id)s::bigint
   and (i.turn_id is null or b.number < %(number)s::bigint)
   and (d.number is null or d.number >= %(number)s::bigint);

-- name: items_by_hand
-- The newest facts and open loops of a scope that were written by hand between two moments.
with chosen as materialized (
    select memory_id from item
     where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
       and created_at between %(since)s::bigint and %(until)s::bigint
       and origin is null and kind <> 'summary'
     order by created_at desc, uid collate "C" desc limit %(most)s::bigint
)
select i.*, m.content, s.name as scope_name, b.number as born, d.number as died
  from chosen c
  join item i on i.account_id = %(account_id)s::bigint and i.memory_id = c.memory_id
  join memory m on m.account_id = %(account_id)s::bigint and m.id = i.memory_id
  join scope s on s.account_id = %(account_id)s::bigint and s.id = i.scope_id
  left join path b on b.account_id = %(account_id)s::bigint and b.turn_id = i.turn_id
                  and b.scope_id = %(session_scope_id)s::bigint
                  and b.conversation_id = %(conversation_id)s::text
                  and b.branch_id = %(branch_id)s::text
  left join path d on d.account_id = %(account_id)s::bigint and d.turn_id = i.displaced_by
                  and d.scope_id = %(session_scope_id)s::bigint
                  and d.conversation_id = %(conversation_id)s::text
                  and d.branch_id = %(branch_id)s::text
 where i.scope_id = %(scope_id)s::bigint;

-- name: items_of_turn
-- What was made from a turn, in whichever scope.
select i.*, m.content, s.name as scope_name
  from item i
  join memory m on m.account_id = i.account_id and m.id = i.memory_id
  join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint and i.turn_id = %(turn_id)s::text;

-- name: items_used
-- That items were injected.
update item set used_at = greatest(coalesce(used_at, 0), %(now)s::bigint)
 where account_id = %(account_id)s::bigint and uid collate "C" = any(%(uids)s::text[]);

-- name: item_tally_change
-- So many more or fewer items of a sort, and what they come to.
insert into item_tally (account_id, scope_id, kind, tier, status, lifecycle, items, importance,
                        confidence, tokens)
values (%(account_id)s::bigint, %(scope_id)s, %(kind)s, %(tier)s, %(status)s, %(lifecycle)s,
        greatest(%(items)s::bigint, 0), %(importance)s, %(confidence)s, %(tokens)s)
on conflict (account_id, scope_id, kind, tier, status, lifecycle) do update
   set items = item_tally.items + %(items)s::bigint,
       importance = item_tally.importance + %(importance)s::bigint,
       confidence = item_tally.confidence + %(confidence)s::bigint,
       tokens = item_tally.tokens + %(tokens)s::bigint;

-- name: item_tally_of_scope
-- What a scope holds.
select kind, tier, status, lifecycle, items, importance, confidence, tokens from item_tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: item_tally_of_account
-- What all scopes of an account hold together, or all of one kind.
select t.kind, t.tier, t.status, t.lifecycle, sum(t.items)::bigint as items,
       sum(t.importance)::bigint as importance, sum(t.confidence)::bigint as confidence,
       sum(t.tokens)::bigint as tokens
  from scope s join item_tally t on t.account_id = s.account_id and t.scope_id = s.id
 where s.account_id = %(account_id)s::bigint
   and (%(scope_kind)s::text is null or s.kind = %(scope_kind)s::text)
 group by t.kind, t.tier, t.status, t.lifecycle;

-- name: struck_add
-- An item that was made from a turn was deleted by hand.
insert into struck (account_id, scope_id, uid, struck_at, origin)
values (%(account_id)s::bigint, %(scope_id)s, %(uid)s, %(now)s, %(origin)s)
on conflict (account_id, scope_id, uid) do nothing;

-- name: struck_of_scope
-- What must not come back, and since when.
select uid, struck_at, origin from struck
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: edges_purge
-- The relations of memories that are deleted.
delete from edge
 where account_id = %(account_id)s::bigint
   and (from_id = any(%(ids)s::bigint[]) or to_id = any(%(ids)s::bigint[]));

-- name: events_purge
-- The history of memories that are deleted goes with them: it holds their texts.
delete from event where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: sources_purge
-- Where memories that are deleted came from.
delete from source where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: items_purge
-- What a chat kept of memories that are deleted.
delete from item where account_id = %(account_id)s::bigint and memory_id = any(%(ids)s::bigint[]);

-- name: memories_reinstate
-- What was superseded by what is gone is current again.
update memory set valid_until = null, superseded_by = null
 where account_id = %(account_id)s::bigint and superseded_by = any(%(ids)s::bigint[]);

-- name: memories_purge
-- Memories that are deleted.
delete from memory where account_id = %(account_id)s::bigint and id = any(%(ids)s::bigint[]);

-- name: memory_of_item
-- The memory behind an item follows it: its text, its place, whether it is in use, and since when
-- it is not.
update memory
   set doc = %(doc)s, scope_id = %(scope_id)s, kind = %(kind)s, status = %(status)s,
       content = %(content)s, summary = %(summary)s, content_hash = %(content_hash)s,
       confidence = %(confidence)s, updated_at = %(now)s, status_reason = %(reason)s,
       status_at = case when status = %(status)s then coalesce(status_at, %(status_at)s::bigint)
                        else %(status_at)s::bigint end
 where account_id = %(account_id)s::bigint and id = %(memory_id)s::bigint;

-- name: scopes_of_kinds
-- All scopes of some kinds.
select id, kind, name from scope
 where account_id = %(account_id)s::bigint and kind = any(%(kinds)s::text[]);

-- name: scope_state_grow
-- The memory of a scope is another one.
insert into scope_state (account_id, scope_id, revision, updated_at)
values (%(account_id)s::bigint, %(scope_id)s, 1, %(now)s)
on conflict (account_id, scope_id) do update
   set revision = scope_state.revision + 1, updated_at = %(now)s::bigint
returning revision;
