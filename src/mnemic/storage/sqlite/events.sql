-- name: event_add
-- One line of the journal.
insert into event (scope_id, memory_id, verb, actor, at, before, after)
values (:scope_id, :memory_id, :verb, :actor, :at, :before, :after);

-- name: events_of_memory
-- The history of one memory.
select id, verb, memory_id, actor, at, before, after from event
 where memory_id = :memory_id order by id;

-- name: events_before
-- What happened to an account, the latest first, with as much of each memory as a list shows.
select e.id, e.verb, e.memory_id, e.actor, e.at, s.kind as scope_kind, s.name as scope_name,
       m.kind as memory_kind, m.status, m.summary, m.context
  from event e join scope s on s.id = e.scope_id left join memory m on m.id = e.memory_id
 where s.account_id = :account_id and e.id < :before_id
   and (:until is null or e.at <= :until)
   and (:verb is null or e.verb = :verb) and (:scope_id is null or e.scope_id = :scope_id)
 order by e.id desc limit :limit;

-- name: events_after
-- What happened to an account since an event, in order: whoever watches asks for this every second.
select e.id, e.verb, e.memory_id, e.actor, e.at, s.kind as scope_kind, s.name as scope_name,
       m.kind as memory_kind, m.status, m.summary, m.context
  from event e join scope s on s.id = e.scope_id left join memory m on m.id = e.memory_id
 where s.account_id = :account_id and e.id > :after_id
   and (:verb is null or e.verb = :verb) and (:scope_id is null or e.scope_id = :scope_id)
 order by e.id limit :limit;

-- name: event_last
-- The last event of an account. The journal is read from its end, so others' events are passed over.
select e.id from event e join scope s on s.id = e.scope_id
 where s.account_id = :account_id order by e.id desc limit 1;

-- name: events_by_day
-- How much of what happened on each day, over the latest events: a journal of millions is not read.
select at / 86400000000 as day, verb, count(*) as events
  from (select e.at, e.verb from event e join scope s on s.id = e.scope_id
         where s.account_id = :account_id order by e.id desc limit :latest)
 group by at / 86400000000, verb order by 1, 2;
