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
