-- name: clock_read
-- How far the store is: one clock, numbered 0, for all scopes. A cache that stands there has
-- nothing to catch up with.
select 0 as clock, seq from clock;

-- name: clock_tick
-- The next number for a change of what can be found.
update clock set seq = seq + 1 returning seq;

-- name: clock_ticks
-- The next numbers for so many changes, as ranges: here, one.
update clock set seq = seq + :count returning seq - :count + 1 as first, seq as last;

-- name: document_add
-- A text becomes findable under a number that is new and larger than all before it.
insert into document (doc, seq, scope_id, thread, live, terms, own_terms, speaker, said_at,
                      traits, telling, head)
values (:doc, :doc, :scope_id, :thread, 1, :terms, :own_terms, :speaker, :said_at,
        :traits, :telling, :head);

-- name: document_copy
-- The same text becomes findable in another place, under a number of its own.
insert into document (doc, seq, scope_id, thread, live, terms, own_terms, speaker, said_at,
                      traits, telling, head, unfolded)
select :doc, :doc, :scope_id, thread, 1, terms, own_terms, speaker, said_at, traits, telling, :head,
       unfolded
  from document where doc = :like;

-- name: documents_headed
-- The passages of some texts that have more than one.
select doc, head from document
 where head in (select value from json_each(:docs)) and live = 1 order by doc;

-- name: vector_copy
-- The same text means the same.
insert into vector (doc, model_id, data) select :doc, model_id, data from vector where doc = :like;

-- name: document_retire
-- Caches learn from the new seq that this one is gone, with the passages of its text; nothing else of
-- it is needed any more.
update document set live = 0, terms = x'', thread = null, speaker = null, said_at = null, seq = :seq
 where live = 1 and (doc = :doc or head = :doc)
returning doc;

-- name: document_touch
-- A vector came later than its text: caches are to look at this document again.
update document set seq = :seq where doc = :doc and live = 1;

-- name: documents_after
-- New documents in the order in which they were written.
select doc, scope_id, thread, terms, own_terms, coalesce(head, 0), speaker, said_at, traits,
       telling
  from document where doc > :last and live = 1 order by doc limit :limit;

-- name: documents_retired
-- Documents that a cache knows and that are gone since. The plus keeps the planner on the index
-- of seq: by number it would walk the whole table.
select doc from document where seq > :seq and +doc <= :last and live = 0;

-- name: vectors_since
-- Vectors of one model that a cache has not seen, in portions by seq.
select d.seq, v.doc, v.data
  from document d cross join vector v on v.doc = d.doc
 where d.seq > :seq and d.live = 1 and v.model_id = :model_id
 order by d.seq limit :limit;

-- name: vectors_of
-- The vectors of some documents, to score them exactly.
select doc, data from vector
 where doc in (select value from json_each(:docs)) and model_id = :model_id;

-- name: vector_put
-- One vector a document: a new model's replaces the old one's.
insert into vector (doc, model_id, data) values (:doc, :model_id, :data)
on conflict (doc) do update set model_id = excluded.model_id, data = excluded.data;

-- name: vectors_drop
-- What can no longer be found needs no vector.
delete from vector where doc in (select value from json_each(:docs));

-- name: vectors_missing
-- Live documents that the model has not embedded yet, oldest first: memories, with what was said just
-- before them in their run, and messages of chats, with the message before them. A passage is that
-- part of its text.
select d.doc, d.scope_id,
       case when s.doc is null then m.content else substr(m.content, s.first + 1, s.last - s.first)
       end as content,
       m.context, p.content as before, p.context as before_context
  from document d
  join memory m on m.doc = coalesce(d.head, d.doc)
  left join passage s on s.doc = d.doc
  left join vector v on v.doc = d.doc and v.model_id = :model_id
  left join memory p on d.head is null
                    and p.id = (select max(e.id) from memory e
                                 where e.episode_id = m.episode_id and e.id < m.id
                                   and e.status = 'active')
 where d.live = 1 and v.doc is null and d.doc > :after and m.status = 'active'
union all
select d.doc, d.scope_id, substr(m.content, s.first + 1, s.last - s.first),
       json_object('speaker', coalesce(m.name, m.role)),
       p.content, json_object('speaker', coalesce(p.name, p.role))
  from passage s
  join document d on d.doc = s.doc
  join message m on m.turn_id = s.turn_id and m.version = s.version and m.position = s.position
  left join vector v on v.doc = d.doc and v.model_id = :model_id
  left join message p on s.first = 0 and p.turn_id = s.turn_id and p.version = s.version
                     and p.position = s.position - 1
 where d.live = 1 and v.doc is null and s.doc > :after
 order by 1 limit :limit;

-- name: document_last
-- The largest number there is: who was there has seen everything before.
select max(doc) as doc from document;

-- name: vectors_missing_count
-- How much work re-embedding is, for a progress bar.
select count(*) as missing
  from document d
  left join vector v on v.doc = d.doc and v.model_id = :model_id
 where d.live = 1 and v.doc is null
   and d.scope_id not in (select id from scope where kind = 'resting');

-- name: vectors_none_count
-- How many documents of an account have no vector at all, of whatever model.
select count(*) as missing
  from document d
 where d.live = 1
   and d.scope_id in (select id from scope where account_id = :account_id and kind <> 'resting')
   and not exists (select 1 from vector v where v.doc = d.doc);

-- name: model_add
-- Models are named once and referred to by number.
insert into model (name, dimensions) values (:name, :dimensions) on conflict (name) do nothing;

-- name: model_find
-- The number of a model.
select id, dimensions from model where name = :name;

-- name: docs_passing
-- Which of some documents may be shown: ranked first, filtered then.
select m.doc from current_memory m
 where m.doc in (select value from json_each(:docs))
   and m.status = 'active'
   and (:other_than_episode is null or m.episode_id is not :other_than_episode)
   and m.confidence >= :min_confidence
   and (:moment is null or m.expires_at is null or m.expires_at > :moment)
   and (:occurred_by is null or m.occurred_at <= :occurred_by)
   and {filter};

-- name: docs_within
-- Everything in the scopes that may be shown: for filters that few rows pass.
select m.doc from current_memory m
 where m.scope_id in (select value from json_each(:scope_ids))
   and m.status = 'active'
   and (:other_than_episode is null or m.episode_id is not :other_than_episode)
   and m.confidence >= :min_confidence
   and (:moment is null or m.expires_at is null or m.expires_at > :moment)
   and (:occurred_by is null or m.occurred_at <= :occurred_by)
   and {filter};

-- name: docs_of_episode
-- Everything that one episode stored and that may be shown, found through the episode's index.
select m.doc from current_memory m
 where m.episode_id = :episode_id
   and m.scope_id in (select value from json_each(:scope_ids))
   and m.status = 'active'
   and m.confidence >= :min_confidence
   and (:moment is null or m.expires_at is null or m.expires_at > :moment)
   and (:occurred_by is null or m.occurred_at <= :occurred_by)
   and {filter};

-- name: context_values
-- What stands at one path of some documents' contexts, as JSON text: null only where there is
-- nothing.
select m.doc, m.context -> :path as value from memory m
 where m.doc in (select value from json_each(:docs));

-- name: created_times
-- When the memories behind some documents were made.
select doc, created_at from memory where doc in (select value from json_each(:docs));

-- name: memory_kinds
-- Of what kind the memories behind some documents are, as JSON text like the values of a context.
select doc, json_quote(kind) from memory where doc in (select value from json_each(:docs));

-- name: snapshot_stamp
-- From now on only the snapshot with this stamp belongs to this store.
update snapshot set stamp = :stamp;

-- name: snapshot_stamped
-- Which snapshot of the index belongs to this store.
select stamp from snapshot;

-- name: snapshot_discard
-- No snapshot of the index belongs to this store any more, nor one that is being taken.
update snapshot set stamp = '', erasures = erasures + 1;

-- name: snapshot_erasures
-- How much was erased so far: an index that was read before is not kept.
select erasures from snapshot;
