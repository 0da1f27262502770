-- name: event_add
-- One line of the journal.
insert into event (account_id, scope_id, memory_id, verb, actor, at, before, after)
values (%(account_id)s::bigint, %(scope_id)s, %(memory_id)s, %(verb)s, %(actor)s, %(at)s,
        %(before)s, %(after)s);

-- name: events_of_memory
-- The history of one memory.
select id, verb, memory_id, actor, at, before, after from event
 where account_id = %(account_id)s::bigint and memory_id = %(memory_id)s::bigint
 order by id;

-- name: events_before
-- What happened to an account, the latest first, with as much of each memory as a list shows.
select e.id, e.verb, e.memory_id, e.actor, e.at, s.kind as scope_kind, s.name as scope_name,
       m.kind as memory_kind, m.status, m.summary, m.context
  from event e
  join scope s on s.account_id = e.account_id and s.id = e.scope_id
  left join memory m on m.account_id = e.account_id and m.id = e.memory_id
 where e.account_id = %(account_id)s::bigint and e.id < %(before_id)s::bigint
   and (%(until)s::bigint is null or e.at <= %(until)s::bigint)
   and (%(verb)s::text is null or e.verb = %(verb)s::text)
   and (%(scope_id)s::bigint is null or e.scope_id = %(scope_id)s::bigint)
 order by e.id desc limit %(limit)s::bigint;

-- name: events_after
-- What happened to an account since an event, in order: whoever watches asks for this every second.
select e.id, e.verb, e.memory_id, e.actor, e.at, s.kind as scope_kind, s.name as scope_name,
       m.kind as memory_kind, m.status, m.summary, m.context
  from event e
  join scope s on s.account_id = e.account_id and s.id = e.scope_id
  left join memory m on m.account_id = e.account_id and m.id = e.memory_id
 where e.account_id = %(account_id)s::bigint and e.id > %(after_id)s::bigint
   and (%(verb)s::text is null or e.verb = %(verb)s::text)
   and (%(scope_id)s::bigint is null or e.scope_id = %(scope_id)s::bigint)
 order by e.id limit %(limit)s::bigint;

-- name: event_last
-- The last event of an account.
select id from event
 where account_id = %(account_id)s::bigint order by id desc limit 1;

-- name: events_by_day
-- How much of what happened on each day, over the latest events: a journal of millions is not read.
select at / 86400000000 as day, verb, count(*) as events
  from (select at, verb from event
         where account_id = %(account_id)s::bigint
         order by id desc limit %(latest)s::bigint) latest
 group by at / 86400000000, verb order by 1, verb collate "C";
