-- name: memories_expired
-- Episodic memories that are older than they may be, a portion at a time.
select m.id from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id and m.kind = 'episodic' and m.updated_at < :before
   and m.id > :after
 order by m.id limit :limit;

-- name: memories_expired_count
-- How many those are.
select count(*) as n from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id and m.kind = 'episodic' and m.updated_at < :before;

-- name: conversations_expired
-- Conversations of users, and sessions of chats, in which nothing was said since, a portion at a time.
select c.scope_id, c.id, s.kind as scope_kind, s.name as scope_name
  from conversation c join scope s on s.id = c.scope_id
 where s.account_id = :account_id and s.kind in ('user', 'chat') and c.updated_at < :before
   and (c.scope_id, c.id) > (:after_scope, :after_id)
 order by c.scope_id, c.id limit :limit;

-- name: pins_all
-- Where somebody pinned something, and from which turn it was made.
select s.kind as scope_kind, s.name as scope_name, i.turn_id
  from item i join scope s on s.id = i.scope_id
 where i.account_id = :account_id and i.pinned = 1;

-- name: events_page
-- The next lines of the journal, of whichever account: how far they go, and how many are too old.
select max(id) as last, coalesce(sum(at < :before), 0) as old
  from (select id, at from event where id > :after order by id limit :limit);

-- name: events_expire
-- Lines of the journal that are older than they may be, between two numbers.
delete from event
 where id > :after and id <= :last and at < :before
   and scope_id in (select id from scope where account_id = :account_id);

-- name: events_expired_count
-- How many lines of the journal are too old.
select count(*) as n from event e join scope s on s.id = e.scope_id
 where s.account_id = :account_id and e.at < :before;

-- name: jobs_expired_count
-- How many jobs were over before then.
select count(*) as n from job_queue where account_id = :account_id and finished_at < :before;
