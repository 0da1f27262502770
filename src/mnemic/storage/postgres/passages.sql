-- name: passage_add
-- Where a passage stands in its text: the text is not kept twice.
insert into passage (account_id, doc, turn_id, version, position, first, last)
values (%(account_id)s::bigint, %(doc)s, %(turn_id)s, %(version)s, %(position)s, %(first)s,
        %(last)s);

-- name: passage_copy
-- The same text, which is now found in another place, too, has the same passages.
insert into passage (account_id, doc, turn_id, version, position, first, last)
select account_id, %(doc)s::bigint, turn_id, version, position, first, last
  from passage where account_id = %(account_id)s::bigint and doc = %(like)s::bigint;

-- name: passages_drop
-- What can no longer be found stands nowhere.
delete from passage
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);

-- name: documents_said_retire
-- What was said in some turns can no longer be found, in whichever version.
update document set live = false, terms = ''::bytea, thread = null, speaker = null, said_at = null,
       seq = %(seq)s
 where account_id = %(account_id)s::bigint
   and doc in (select p.doc from passage p
                where p.account_id = %(account_id)s::bigint
                  and p.turn_id = any(%(turn_ids)s::text[]))
returning doc;

-- name: passage_spans
-- Which parts of their memories some passages are.
select doc, first, last from passage
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);

-- name: passages_of_memory
-- Into which parts a long text was cut to be found; none where it is short.
select p.first, p.last
  from memory m
  join document d on d.account_id = m.account_id and (d.doc = m.doc or d.head = m.doc)
  join passage p on p.account_id = m.account_id and p.doc = d.doc
 where m.account_id = %(account_id)s::bigint and m.id = %(memory_id)s::bigint
 order by p.first;

-- name: passages_said
-- What some passages of messages say, with who said it and in which turn.
select p.doc, p.turn_id, p.position, p.first, p.last, t.number, m.role, m.name,
       substr(m.content, p.first + 1, p.last - p.first) as content
  from passage p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
  join message m on m.account_id = %(account_id)s::bigint and m.turn_id = p.turn_id
                and m.version = p.version and m.position = p.position
 where p.account_id = %(account_id)s::bigint and p.doc = any(%(docs)s::bigint[]);

-- name: passages_hidden
-- What was said in a session and is not to be found from a branch: in turns that are not along it, or
-- that the app still shows, or after a time.
select p.doc
  from turn t
  join passage p on p.account_id = %(account_id)s::bigint and p.turn_id = t.id
 where t.account_id = %(account_id)s::bigint and t.scope_id = %(scope_id)s::bigint
   and t.conversation_id = %(conversation_id)s
   and (t.number >= %(window_start)s
        or (%(as_of)s::bigint is not null
            and exists (select from version v
                         where v.account_id = %(account_id)s::bigint and v.turn_id = t.id
                           and v.number = t.version
                           and coalesce(v.occurred_at, v.created_at) > %(as_of)s::bigint))
        or not exists (select from path w
                        where w.account_id = %(account_id)s::bigint and w.turn_id = t.id
                          and w.scope_id = %(scope_id)s::bigint
                          and w.conversation_id = %(conversation_id)s
                          and w.branch_id = %(branch_id)s));

-- name: memories_unsplit
-- What may be too long for the one document under which it is found, or is found with its accents only,
-- with where that is searched: the texts of an older store, or of a file that was imported.
select m.id, m.doc, d.scope_id as searched_in, m.content, m.context, m.episode_id,
       coalesce(d.said_at, m.created_at) as said_at, d.unfolded is not null as unfolded
  from memory m
  join document d on d.account_id = %(account_id)s::bigint and d.doc = m.doc
 where m.account_id = %(account_id)s::bigint and m.doc > %(after)s::bigint
   and d.live
   and (d.unfolded
        or (octet_length(m.content) > %(longer)s
            and not exists (select from document p
                             where p.account_id = %(account_id)s::bigint and p.head = m.doc)))
 order by m.doc limit %(limit)s;

-- name: turns_unsplit
-- Turns of sessions of which no passage is found, or one with its accents only, in their order.
select t.scope_id, t.conversation_id as session_id, t.number, t.id
  from turn t
  join scope s on s.account_id = %(account_id)s::bigint and s.id = t.scope_id
 where t.account_id = %(account_id)s::bigint and s.kind = 'chat'
   and (t.scope_id, t.number, t.id collate "C")
       > (%(after_scope)s::bigint, %(after_number)s::bigint, %(after_id)s::text collate "C")
   and (not exists (select from passage p
                     where p.account_id = %(account_id)s::bigint and p.turn_id = t.id)
        or exists (select from passage p
                     join document d on d.account_id = p.account_id and d.doc = p.doc
                    where p.account_id = %(account_id)s::bigint and p.turn_id = t.id and d.unfolded))
 order by t.scope_id, t.number, t.id collate "C" limit %(limit)s;
