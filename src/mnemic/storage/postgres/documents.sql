-- name: clock_read
-- How far each scope is. A cache that stands there has nothing to catch up with.
select id as clock, seq from scope
 where account_id = %(account_id)s::bigint and id = any(%(scope_ids)s::bigint[]);

-- name: clock_tick
-- The next number for a change of what can be found. The row stays locked until the commit, so
-- that numbers of one scope become visible in their order.
update scope set seq = nextval('change_number')
 where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint
returning seq;

-- name: clock_ticks
-- The next numbers for so many changes, as ranges: other scopes take theirs in between.
with taken as (
    select nextval('change_number') as number from generate_series(1, %(count)s)
), moved as (
    update scope set seq = (select max(number) from taken)
     where account_id = %(account_id)s::bigint and id = %(scope_id)s::bigint
    returning id
)
select number as first, number as last from taken, moved order by number;

-- name: document_add
-- A text becomes findable under a number that is new and larger than all before it in its scope.
insert into document (account_id, doc, seq, scope_id, thread, live, terms, own_terms, speaker,
                      said_at, traits, telling, head)
values (%(account_id)s::bigint, %(doc)s, %(doc)s, %(scope_id)s, %(thread)s, true, %(terms)s,
        %(own_terms)s, %(speaker)s, %(said_at)s, %(traits)s, %(telling)s, %(head)s);

-- name: document_copy
-- The same text becomes findable in another place, under a number of its own.
insert into document (account_id, doc, seq, scope_id, thread, live, terms, own_terms, speaker,
                      said_at, traits, telling, head, unfolded)
select account_id, %(doc)s::bigint, %(doc)s::bigint, %(scope_id)s::bigint, thread, true, terms,
       own_terms, speaker, said_at, traits, telling, %(head)s::bigint, unfolded
  from document where account_id = %(account_id)s::bigint and doc = %(like)s::bigint;

-- name: documents_headed
-- The passages of some texts that have more than one.
select doc, head from document
 where account_id = %(account_id)s::bigint and head = any(%(docs)s::bigint[]) and live
 order by doc;

-- name: vector_copy
-- The same text means the same.
insert into memory_vector (account_id, doc, scope_id, model_id, data)
select account_id, %(doc)s::bigint, %(scope_id)s::bigint, model_id, data
  from memory_vector where account_id = %(account_id)s::bigint and doc = %(like)s::bigint;

-- name: document_retire
-- Caches learn from the new seq that this one is gone, with the passages of its text; nothing else of
-- it is needed any more.
update document set live = false, terms = ''::bytea, thread = null, speaker = null, said_at = null,
       seq = %(seq)s
 where account_id = %(account_id)s::bigint
   and (doc = %(doc)s::bigint or head = %(doc)s::bigint) and live
returning doc;

-- name: document_touch
-- A vector came later than its text: it is put only where the text is still there.
update document set seq = %(seq)s
 where account_id = %(account_id)s::bigint and doc = %(doc)s::bigint and live;

-- name: documents_after
-- New documents of a scope in the order in which they were written.
select doc, scope_id, thread, terms, own_terms, coalesce(head, 0), speaker, said_at, traits,
       telling
  from document
 where account_id = %(account_id)s::bigint and scope_id = %(clock)s::bigint
   and doc > %(last)s::bigint and live
 order by doc limit %(limit)s;

-- name: documents_retired
-- Documents of a scope that a cache knows and that are gone since.
select doc from document
 where account_id = %(account_id)s::bigint and scope_id = %(clock)s::bigint
   and seq > %(seq)s::bigint and doc <= %(last)s::bigint and not live;

-- name: vectors_of
-- The vectors of some documents, to score them exactly.
select doc, data from memory_vector
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[])
   and model_id = %(model_id)s;

-- name: vectors_nearest
-- Every vector of the scopes is compared. Adding 0 keeps the planner from walking a graph instead,
-- which would be no longer exact.
select doc, data from memory_vector
 where account_id = %(account_id)s::bigint and scope_id = any(%(scope_ids)s::bigint[])
   and model_id = %(model_id)s
 order by (data <#> %(vector)s::{type}) + 0 limit %(limit)s;

-- name: vectors_nearest_among
-- The same for what a filter lets through.
select doc, data from memory_vector
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[])
   and model_id = %(model_id)s
 order by (data <#> %(vector)s::{type}) + 0 limit %(limit)s;

-- name: vectors_nearest_in_graph
-- For scopes that are a good part of their partition: a walk through the graph over all of it.
select doc, data from memory_vector
 where account_id = %(account_id)s::bigint and scope_id = any(%(scope_ids)s::bigint[])
   and model_id = %(model_id)s and vector_dims(data) = {dimensions}
 order by data::{type}({dimensions}) <#> %(vector)s::{type}({dimensions}) limit %(limit)s;

-- name: graph_size
-- About how many vectors share the graphs of the account's partition. Where most are others', a walk
-- meets few of one's own, and comparing those one by one is faster. Without an order the table
-- would be read from its beginning until a row of the account comes.
select greatest(reltuples, 0)::bigint as vectors from pg_class
 where oid = (select tableoid from memory_vector
               where account_id = %(account_id)s::bigint order by doc limit 1);

-- name: graph_settings
-- For this transaction: how wide the walk is and, where pgvector can, that it goes on until enough of
-- the scopes was found. Sorting is discouraged, because the planner takes the account, the scope and
-- the model of a vector for independent of each other: it would expect a single row, and sort
-- thousands.
select set_config('hnsw.ef_search', %(width)s::text, true),
       set_config('enable_sort', 'off', true),
       case when %(goes_on)s then set_config('hnsw.iterative_scan', 'relaxed_order', true) end,
       case when %(goes_on)s then set_config('hnsw.max_scan_tuples', '40000', true) end;

-- name: vector_put
-- One vector a document: a new model's replaces the old one's.
insert into memory_vector (account_id, doc, scope_id, model_id, data)
values (%(account_id)s::bigint, %(doc)s, %(scope_id)s, %(model_id)s, %(data)s::{type})
on conflict (account_id, doc) do update
   set model_id = excluded.model_id, data = excluded.data;

-- name: vectors_drop
-- What can no longer be found needs no vector.
delete from memory_vector
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);

-- name: vectors_missing
-- Live documents that the model has not embedded yet, oldest first: memories, with what was said just
-- before them in their run, and messages of chats, with the message before them. A passage is that
-- part of its text. Each table is told the account by its value: only that tells the planner which
-- partition to look in.
(select d.doc, d.scope_id,
        case when s.doc is null then m.content else substr(m.content, s.first + 1, s.last - s.first)
        end as content,
        m.context, p.content as before, p.context as before_context
   from document d
   join memory m on m.account_id = d.account_id and m.doc = coalesce(d.head, d.doc)
   left join passage s on s.account_id = %(account_id)s::bigint and s.doc = d.doc
   left join lateral (
       select e.content, e.context from memory e
        where d.head is null and e.account_id = %(account_id)s::bigint
          and e.episode_id = m.episode_id and e.id < m.id and e.status = 'active'
        order by e.id desc limit 1
   ) p on true
  where d.account_id = %(account_id)s::bigint and d.live and d.doc > %(after)s::bigint
    and m.status = 'active'
    and not exists (select from memory_vector v
                     where v.account_id = d.account_id and v.doc = d.doc
                       and v.model_id = %(model_id)s)
  order by d.doc limit %(limit)s)
union all
(select d.doc, d.scope_id, substr(m.content, s.first + 1, s.last - s.first),
        jsonb_build_object('speaker', coalesce(m.name, m.role))::text, p.content,
        jsonb_build_object('speaker', coalesce(p.name, p.role))::text
   from passage s
   join document d on d.account_id = %(account_id)s::bigint and d.doc = s.doc
   join message m on m.account_id = %(account_id)s::bigint and m.turn_id = s.turn_id
                 and m.version = s.version and m.position = s.position
   left join message p on s.first = 0 and p.account_id = %(account_id)s::bigint
                      and p.turn_id = s.turn_id and p.version = s.version
                      and p.position = s.position - 1
  where s.account_id = %(account_id)s::bigint and d.live and s.doc > %(after)s::bigint
    and not exists (select from memory_vector v
                     where v.account_id = s.account_id and v.doc = s.doc
                       and v.model_id = %(model_id)s)
  order by s.doc limit %(limit)s)
 order by doc limit %(limit)s;

-- name: document_last
-- The largest number there is: who was there has seen all before it that was committed by then.
select max(doc) as doc from document where account_id = %(account_id)s::bigint;

-- name: vectors_missing_count
-- How much work re-embedding is, for a progress bar.
select count(*) as missing from document d
 where d.account_id = %(account_id)s::bigint and d.live
   and not exists (select from scope r where r.account_id = d.account_id and r.id = d.scope_id
                                         and r.kind = 'resting')
   and not exists (select from memory_vector v
                    where v.account_id = d.account_id and v.doc = d.doc
                      and v.model_id = %(model_id)s);

-- name: vectors_none_count
-- How many documents of an account have no vector at all, of whatever model.
select count(*) as missing from document d
 where d.account_id = %(account_id)s::bigint and d.live
   and not exists (select from scope r where r.account_id = d.account_id and r.id = d.scope_id
                                         and r.kind = 'resting')
   and not exists (select from memory_vector v
                    where v.account_id = d.account_id and v.doc = d.doc);

-- name: model_add
-- Models are named once and referred to by number.
insert into model (name, dimensions) values (%(name)s, %(dimensions)s)
on conflict (name) do nothing;

-- name: model_find
-- The number of a model.
select id, dimensions from model where name = %(name)s::text;

-- name: docs_passing
-- Which of some documents may be shown: ranked first, filtered then.
select m.doc from current_memory m
 where m.account_id = %(account_id)s::bigint and m.doc = any(%(docs)s::bigint[])
   and m.status = 'active'
   and (%(other_than_episode)s::text is null
        or m.episode_id is distinct from %(other_than_episode)s::text)
   and m.confidence >= %(min_confidence)s::double precision
   and (%(moment)s::bigint is null or m.expires_at is null or m.expires_at > %(moment)s::bigint)
   and (%(occurred_by)s::bigint is null or m.occurred_at <= %(occurred_by)s::bigint)
   and {filter};

-- name: docs_within
-- Everything in the scopes that may be shown: for filters that few rows pass.
select m.doc from current_memory m
 where m.account_id = %(account_id)s::bigint and m.scope_id = any(%(scope_ids)s::bigint[])
   and m.status = 'active'
   and (%(other_than_episode)s::text is null
        or m.episode_id is distinct from %(other_than_episode)s::text)
   and m.confidence >= %(min_confidence)s::double precision
   and (%(moment)s::bigint is null or m.expires_at is null or m.expires_at > %(moment)s::bigint)
   and (%(occurred_by)s::bigint is null or m.occurred_at <= %(occurred_by)s::bigint)
   and {filter};

-- name: docs_of_episode
-- Everything that one episode stored and that may be shown, found through the episode's index.
select m.doc from current_memory m
 where m.account_id = %(account_id)s::bigint and m.episode_id = %(episode_id)s::text
   and m.scope_id = any(%(scope_ids)s::bigint[])
   and m.status = 'active'
   and m.confidence >= %(min_confidence)s::double precision
   and (%(moment)s::bigint is null or m.expires_at is null or m.expires_at > %(moment)s::bigint)
   and (%(occurred_by)s::bigint is null or m.occurred_at <= %(occurred_by)s::bigint)
   and {filter};

-- name: context_values
-- What stands at one path of some documents' contexts, as JSON text: null only where there is
-- nothing.
select m.doc, {value} as value from memory m
 where m.account_id = %(account_id)s::bigint and m.doc = any(%(docs)s::bigint[]);

-- name: created_times
-- When the memories behind some documents were made.
select doc, created_at from memory
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);

-- name: memory_kinds
-- Of what kind the memories behind some documents are, as JSON text like the values of a context.
select doc, to_json(kind)::text from memory
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[]);
