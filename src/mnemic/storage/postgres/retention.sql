-- name: memories_expired
-- Episodic memories that are older than they may be, a portion at a time.
select id from memory
 where account_id = %(account_id)s::bigint and kind = 'episodic'
   and updated_at < %(before)s::bigint and id > %(after)s::bigint
 order by id limit %(limit)s;

-- name: memories_expired_count
-- How many those are.
select count(*) as n from memory
 where account_id = %(account_id)s::bigint and kind = 'episodic'
   and updated_at < %(before)s::bigint;

-- name: conversations_expired
-- Conversations of users, and sessions of chats, in which nothing was said since, a portion at a time.
select c.scope_id, c.id, s.kind as scope_kind, s.name as scope_name
  from conversation c join scope s on s.account_id = c.account_id and s.id = c.scope_id
 where c.account_id = %(account_id)s::bigint and s.kind in ('user', 'chat')
   and c.updated_at < %(before)s::bigint
   and (c.scope_id, c.id) > (%(after_scope)s::bigint, %(after_id)s::text)
 order by c.scope_id, c.id limit %(limit)s;

-- name: pins_all
-- Where somebody pinned something, and from which turn it was made.
select s.kind as scope_kind, s.name as scope_name, i.turn_id
  from item i join scope s on s.account_id = i.account_id and s.id = i.scope_id
 where i.account_id = %(account_id)s::bigint and i.pinned;

-- name: events_page
-- The next lines of the journal: how far they go, and how many are too old.
select max(id) as last, count(*) filter (where at < %(before)s::bigint) as old
  from (select id, at from event
         where account_id = %(account_id)s::bigint and id > %(after)s::bigint
         order by id limit %(limit)s) page;

-- name: events_expire
-- Lines of the journal that are older than they may be, between two numbers.
delete from event
 where account_id = %(account_id)s::bigint and id > %(after)s::bigint and id <= %(last)s::bigint
   and at < %(before)s::bigint;

-- name: events_expired_count
-- How many lines of the journal are too old.
select count(*) as n from event
 where account_id = %(account_id)s::bigint and at < %(before)s::bigint;

-- name: jobs_expired_count
-- How many jobs were over before then.
select count(*) as n from job_queue
 where account_id = %(account_id)s::bigint and finished_at < %(before)s::bigint;
