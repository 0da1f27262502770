-- name: passage_add
-- Where a passage stands in its text: the text is not kept twice.
insert into passage (doc, turn_id, version, position, first, last)
values (:doc, :turn_id, :version, :position, :first, :last);

-- name: passage_copy
-- The same text, which is now found in another place, too, has the same passages.
insert into passage (doc, turn_id, version, position, first, last)
select :doc, turn_id, version, position, first, last from passage where doc = :like;

-- name: passages_drop
-- What can no longer be found stands nowhere.
delete from passage where doc in (select value from json_each(:docs));

-- name: documents_said_retire
-- What was said in some turns can no longer be found, in whichever version.
update document set live = 0, terms = x'', thread = null, speaker = null, said_at = null, seq = :seq
 where doc in (select p.doc from passage p
                where p.turn_id in (select value from json_each(:turn_ids)))
returning doc;

-- name: passage_spans
-- Which parts of their memories some passages are.
select doc, first, last from passage where doc in (select value from json_each(:docs));

-- name: passages_of_memory
-- Into which parts a long text was cut to be found; none where it is short.
select p.first, p.last
  from memory m
  join document d on d.doc = m.doc or d.head = m.doc
  join passage p on p.doc = d.doc
 where m.id = :memory_id
 order by p.first;

-- name: passages_said
-- What some passages of messages say, with who said it and in which turn.
select p.doc, p.turn_id, p.position, p.first, p.last, t.number, m.role, m.name,
       substr(m.content, p.first + 1, p.last - p.first) as content
  from passage p
  join turn t on t.id = p.turn_id
  join message m on m.turn_id = p.turn_id and m.version = p.version and m.position = p.position
 where p.doc in (select value from json_each(:docs));

-- name: passages_hidden
-- What was said in a session and is not to be found from a branch: in turns that are not along it, or
-- that the app still shows, or after a time.
select p.doc
  from turn t
  join passage p on p.turn_id = t.id
 where t.scope_id = :scope_id and t.conversation_id = :conversation_id
   and (t.number >= :window_start
        or (:as_of is not null
            and exists (select 1 from version v
                         where v.turn_id = t.id and v.number = t.version
                           and coalesce(v.occurred_at, v.created_at) > :as_of))
        or not exists (select 1 from path w
                        where w.turn_id = t.id and w.scope_id = :scope_id
                          and w.conversation_id = :conversation_id and w.branch_id = :branch_id));

-- name: memories_unsplit
-- What may be too long for the one document under which it is found, or is found with its accents only,
-- with where that is searched: the texts of an older store, or of a file that was imported.
select m.id, m.doc, d.scope_id as searched_in, m.content, m.context, m.episode_id,
       coalesce(d.said_at, m.created_at) as said_at, d.unfolded is not null as unfolded
  from memory m
  join document d on d.doc = m.doc
  join scope s on s.id = m.scope_id
 where m.doc > :after and d.live = 1 and s.account_id = :account_id
   and (d.unfolded = 1
        or (octet_length(m.content) > :longer
            and not exists (select 1 from document p where p.head = m.doc)))
 order by m.doc limit :limit;

-- name: turns_unsplit
-- Turns of sessions of which no passage is found, or one with its accents only, in their order.
select t.scope_id, t.conversation_id as session_id, t.number, t.id
  from turn t
  join scope s on s.id = t.scope_id
 where s.account_id = :account_id and s.kind = 'chat'
   and (t.scope_id, t.number, t.id) > (:after_scope, :after_number, :after_id)
   and (not exists (select 1 from passage p where p.turn_id = t.id)
        or exists (select 1 from passage p join document d on d.doc = p.doc
                    where p.turn_id = t.id and d.unfolded = 1))
 order by t.scope_id, t.number, t.id limit :limit;
