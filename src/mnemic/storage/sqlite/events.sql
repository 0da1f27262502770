-- name: event_add
-- One line of the journal.
insert into event (scope_id, memory_id, verb, actor, at, before, after)
values (:scope_id, :memory_id, :verb, :actor, :at, :before, :after);

-- name: events_of_memory
-- The history of one memory.
select id, verb, memory_id, actor, at, before, after from event
 where memory_id = :memory_id order by id;
