-- name: robotmem_columns
-- Whether a SQLite file is one of robotmem's, and which of its tables it has.
select m.name as table_name, c.name as column_name
  from sqlite_schema m, pragma_table_info(m.name) c
 where m.type = 'table'
   -- A virtual table has no pages: reading it would run what the file names.
   and m.rootpage > 0;

-- name: robotmem_count
-- How many memories there are, to tell how far an import is.
select count(*) as memories from memories;

-- name: robotmem_memories
-- Everything that was ever learned. All columns: not every release has the same ones.
select * from memories order by id;

-- name: robotmem_superseded
-- What was merged into what.
select id, superseded_by from memories
 where superseded_by is not null and status = 'superseded' order by id;

-- name: robotmem_sessions
-- The runs.
select id, external_id, collection, context, status, created_at, updated_at
  from sessions order by id;

-- name: robotmem_outcomes
-- How runs ended; of several scores of a run the last one counts.
select session_id, score from session_outcomes where score is not null order by id;

-- name: robotmem_tags
-- What memories were tagged with.
select memory_id, tag from memory_tags order by memory_id, tag;
