-- name: sessions_page
-- A page of an account's sessions. Only what is shown is counted.
with page as materialized (
    select c.* from current_session c where {filter} limit :limit offset :offset
)
select c.*,
       (select count(*) from branch b
         where b.scope_id = c.scope_id and b.conversation_id = c.id) as branches,
       (select count(*) from turn t
         where t.scope_id = c.scope_id and t.conversation_id = c.id) as floors
  from page c;

-- name: session_there
-- Whether there is a session, without counting what it holds.
select id from conversation where scope_id = :scope_id and id = :conversation_id;

-- name: branch_there
-- Whether a session has a line.
select id from branch
 where scope_id = :scope_id and conversation_id = :conversation_id and id = :branch_id;

-- name: sessions_count
-- How many sessions there are.
select count(*) as sessions from current_session c where {filter};

-- name: session_touch
-- Something happened in a session.
update conversation set updated_at = max(updated_at, :now)
 where scope_id = :scope_id and id = :conversation_id;

-- name: branch_add
-- A line of a session; nothing comes back where it is there already.
insert into branch (scope_id, conversation_id, id, parent, forked_at, created_at)
values (:scope_id, :conversation_id, :id, :parent, :forked_at,
        :now)
on conflict (scope_id, conversation_id, id) do nothing
returning id;

-- name: branches_of_session
-- All lines of a session, in the order in which they were made.
select b.id, b.parent, b.forked_at, b.created_at,
       (select count(*) from path p
         where p.scope_id = b.scope_id and p.conversation_id = b.conversation_id
           and p.branch_id = b.id) as floors
  from branch b
 where b.scope_id = :scope_id and b.conversation_id = :conversation_id
 order by b.created_at, b.id;

-- name: branch_drop
-- A line of a session goes, not the turns that others share with it.
delete from branch
 where scope_id = :scope_id and conversation_id = :conversation_id
   and id = :id;

-- name: path_add
-- A turn stands at the end of a branch.
insert into path (scope_id, conversation_id, branch_id, number, turn_id)
values (:scope_id, :conversation_id, :branch_id, :number,
        :turn_id);

-- name: path_fork
-- A new branch begins with the turns of another one, up to a number.
insert into path (scope_id, conversation_id, branch_id, number, turn_id)
select scope_id, conversation_id, :branch_id, number, turn_id from path
 where scope_id = :scope_id and conversation_id = :conversation_id
   and branch_id = :from_branch and number <= :at;

-- name: path_last
-- The number of the last turn of a branch; null where there is none.
select max(number) as number from path
 where scope_id = :scope_id and conversation_id = :conversation_id
   and branch_id = :branch_id;

-- name: path_of_branch
-- The turns of a branch between two numbers, with what was found in their active versions.
select p.number, t.id, t.version, t.created_at as added_at, v.created_at as said_at, v.occurred_at,
       v.extraction
  from path p
  join turn t on t.id = p.turn_id
  join version v on v.turn_id = t.id and v.number = t.version
 where p.scope_id = :scope_id and p.conversation_id = :conversation_id
   and p.branch_id = :branch_id and p.number between :first and :last
 order by p.number;

-- name: path_last_read
-- The number of the last turn of a branch in which somebody looked for what is worth keeping.
select p.number
  from path p
  join turn t on t.id = p.turn_id
  join version v on v.turn_id = t.id and v.number = t.version
 where p.scope_id = :scope_id and p.conversation_id = :conversation_id
   and p.branch_id = :branch_id and v.extraction is not null
 order by p.number desc limit 1;

-- name: path_naming
-- The next turn of a branch whose extraction names one of these: a key, or an item. They come as
-- they stand in JSON.
select p.number
  from path p
  join turn t on t.id = p.turn_id
  join version v on v.turn_id = t.id and v.number = t.version
 where p.scope_id = :scope_id and p.conversation_id = :conversation_id
   and p.branch_id = :branch_id and p.number > :after
   and exists (select 1 from json_each(:names) n where instr(v.extraction, n.value) > 0)
 order by p.number limit 1;

-- name: path_since
-- The first turn of a branch that was added at a moment or later.
select p.number
  from path p
  join turn t on t.id = p.turn_id
 where p.scope_id = :scope_id and p.conversation_id = :conversation_id
   and p.branch_id = :branch_id and t.created_at >= :at
 order by p.number limit 1;

-- name: branches_of_turn
-- In which lines a turn stands.
select p.branch_id, p.number from path p
 where p.turn_id = :turn_id order by p.branch_id;

-- name: floors_of_branch
-- A page of the turns of a branch, in order.
select p.number, t.id, t.version, t.created_at, t.updated_at,
       (select count(*) from version v where v.turn_id = t.id) as versions,
       (select v.occurred_at from version v
         where v.turn_id = t.id and v.number = t.version) as occurred_at
  from path p
  join turn t on t.id = p.turn_id
 where p.scope_id = :scope_id and p.conversation_id = :conversation_id
   and p.branch_id = :branch_id
 order by case when :descending then -p.number else p.number end
 limit :limit offset :offset;

-- name: floor_get
-- One turn of a session.
select t.number, t.id, t.version, t.created_at, t.updated_at,
       (select count(*) from version v where v.turn_id = t.id) as versions,
       (select v.occurred_at from version v
         where v.turn_id = t.id and v.number = t.version) as occurred_at
  from turn t
 where t.id = :id and t.scope_id = :scope_id
   and t.conversation_id = :conversation_id;

-- name: turn_by_key
-- The turn that was added under an idempotency key.
select id from turn
 where scope_id = :scope_id and conversation_id = :conversation_id
   and idempotency_key = :idempotency_key;

-- name: turn_activate
-- Another version of a turn is the one that counts.
update turn set version = :version, updated_at = :now
 where id = :id;

-- name: turns_drop
-- Turns go, with all that was said in them.
delete from turn where id in (select value from json_each(:ids));

-- name: turns_orphaned
-- The turns of a session that stand in no branch any more.
select t.id from turn t
 where t.scope_id = :scope_id and t.conversation_id = :conversation_id
   and not exists (select 1 from path p where p.turn_id = t.id);

-- name: turns_of_session
-- All turns of a session, in whichever branch.
select t.id from turn t
 where t.scope_id = :scope_id and t.conversation_id = :conversation_id;

-- name: version_add
-- One more version of a turn.
insert into version (turn_id, number, created_at, occurred_at)
values (:turn_id, :number, :now, :occurred_at);

-- name: version_keep
-- What one version says that is worth keeping; null where that is to be found out anew.
update version set extraction = :extraction
 where turn_id = :turn_id and number = :number;

-- name: messages_of_versions
-- What was said in the active versions of some turns, in order.
select m.turn_id, m.id, m.role, m.name, m.content
  from turn t
  join message m on m.turn_id = t.id and m.version = t.version
 where t.id in (select value from json_each(:ids))
 order by m.turn_id, m.position;

-- name: messages_of_turn
-- What was said in every version of a turn, in order.
select m.version, m.id, m.role, m.name, m.content from message m
 where m.turn_id = :turn_id order by m.version, m.position;

-- name: messages_at_first
-- What was said in the first version of a turn, in order.
select m.id, m.role, m.name, m.content from message m
 where m.turn_id = :turn_id and m.version = 0 order by m.position;

-- name: scopes_named
-- Which scopes of one kind have some names.
select id, kind, name from scope
 where account_id = :account_id and kind = :kind and name in (select value from json_each(:names));

-- name: jobs_of_scopes_drop
-- The background work of scopes that are gone.
delete from job
 where account_id = :account_id and id in (select job_id from job_queue q
                   where q.account_id = :account_id
                     and q.scope_id in (select value from json_each(:scope_ids)));

-- name: scope_states_drop
-- What is known of scopes that are gone.
delete from scope_state where scope_id in (select value from json_each(:scope_ids));

-- name: struck_drop
-- What was deleted by hand in scopes that are gone.
delete from struck where scope_id in (select value from json_each(:scope_ids));

-- name: scope_states_page
-- A page of the states of an account's scopes.
select c.* from current_scope_state c where {filter} limit :limit offset :offset;

-- name: scope_states_count
-- How many scopes have a state.
select count(*) as states from current_scope_state c where {filter};

-- name: scope_state_get
-- How far a scope is.
select revision, last_floor, compacted_at from scope_state
 where scope_id = :scope_id;

-- name: scope_state_processed
-- A turn of this number was taken in, or, for null, the number is no longer known.
update scope_state set last_floor = :last_floor, updated_at = :now
 where scope_id = :scope_id;

-- name: scope_state_compacted
-- Summaries were taken in by a larger one.
update scope_state set compacted_at = :now, updated_at = :now
 where scope_id = :scope_id;

-- name: jobs_page
-- A page of an account's jobs.
select j.* from current_job j where {filter} limit :limit offset :offset;

-- name: jobs_count
-- How many jobs there are.
select count(*) as jobs from current_job j where {filter};
