-- name: table
create extension if not exists vector;
create table note (
    id        bigint generated always as identity primary key,
    scope     text not null,
    content   text not null,
    meta      jsonb not null,
    tsv       tsvector generated always as (to_tsvector('english', content)) stored,
    embedding vector(512) not null
);

-- name: indexes
-- Made after the first load, as everybody does: a graph is built faster than it grows.
create index on note using gin (tsv);
create index on note (scope);
create index on note using gin (meta jsonb_path_ops);
create index on note using hnsw (embedding vector_cosine_ops);
analyze note;

-- name: copy
copy note (scope, content, meta, embedding) from stdin

-- name: insert
insert into note (scope, content, meta, embedding) values (%s, %s, %s::jsonb, %s::vector)

-- name: session
-- What the user writes once per connection. Custom plans know how many rows a scope has.
set hnsw.ef_search = 100;
set hnsw.iterative_scan = relaxed_order;
set plan_cache_mode = force_custom_plan;

-- name: any
replace(plainto_tsquery('english', %(text)s)::text, '&', '|')::tsquery

-- name: all
websearch_to_tsquery('english', %(text)s)

-- name: near
select id, embedding <=> %(vector)s::vector as distance from note
 where scope = %(scope)s {filter}
 order by embedding <=> %(vector)s::vector limit 50

-- name: hybrid
with asked as (select {asked} as query),
by_words as (
    select id, row_number() over (order by rank desc) as place
      from (select id, ts_rank(tsv, query) as rank from note, asked
             where tsv @@ query and scope = %(scope)s {filter}
             order by rank desc limit 50) matched
),
by_meaning as (
    select id, row_number() over (order by distance) as place from ({near}) closest
),
joined as (
    select id, sum(1.0 / (60 + place)) as score
      from (select * from by_words union all select * from by_meaning) both_ways
     group by id order by score desc limit %(limit)s
)
select note.content, note.meta from joined join note using (id) order by score desc

-- name: closest
with closest as ({near})
select note.content, note.meta from closest join note using (id)
 order by distance limit %(limit)s
