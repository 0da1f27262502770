-- name: sessions_page
-- A page of an account's sessions. Only what is shown is counted.
with page as materialized (
    select c.* from current_session c
     where {filter} limit %(limit)s::bigint offset %(offset)s::bigint
)
select c.*,
       (select count(*) from branch b
         where b.account_id = %(account_id)s::bigint and b.scope_id = c.scope_id
           and b.conversation_id = c.id) as branches,
       (select count(*) from turn t
         where t.account_id = %(account_id)s::bigint and t.scope_id = c.scope_id
           and t.conversation_id = c.id) as floors
  from page c;

-- name: session_there
-- Whether there is a session, without counting what it holds.
select id from conversation
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and id = %(conversation_id)s::text;

-- name: branch_there
-- Whether a session has a line.
select id from branch
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and conversation_id = %(conversation_id)s::text and id = %(branch_id)s::text;

-- name: sessions_count
-- How many sessions there are.
select count(*) as sessions from current_session c where {filter};

-- name: session_touch
-- Something happened in a session.
update conversation set updated_at = greatest(updated_at, %(now)s::bigint)
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and id = %(conversation_id)s::text;

-- name: branch_add
-- A line of a session; nothing comes back where it is there already.
insert into branch (account_id, scope_id, conversation_id, id, parent, forked_at, created_at)
values (%(account_id)s::bigint, %(scope_id)s::bigint, %(conversation_id)s::text, %(id)s::text,
        %(parent)s::text, %(forked_at)s::bigint,
        %(now)s::bigint)
on conflict (account_id, scope_id, conversation_id, id) do nothing
returning id;

-- name: branches_of_session
-- All lines of a session, in the order in which they were made.
select b.id, b.parent, b.forked_at, b.created_at,
       (select count(*) from path p
         where p.account_id = %(account_id)s::bigint and p.scope_id = b.scope_id
           and p.conversation_id = b.conversation_id
           and p.branch_id = b.id) as floors
  from branch b
 where b.account_id = %(account_id)s::bigint and b.scope_id = %(scope_id)s::bigint
   and b.conversation_id = %(conversation_id)s::text
 order by b.created_at, b.id collate "C";

-- name: branch_drop
-- A line of a session goes, not the turns that others share with it.
delete from branch
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and conversation_id = %(conversation_id)s::text
   and id = %(id)s::text;

-- name: path_add
-- A turn stands at the end of a branch.
insert into path (account_id, scope_id, conversation_id, branch_id, number, turn_id)
values (%(account_id)s::bigint, %(scope_id)s::bigint, %(conversation_id)s::text,
        %(branch_id)s::text, %(number)s::bigint,
        %(turn_id)s::text);

-- name: path_fork
-- A new branch begins with the turns of another one, up to a number.
insert into path (account_id, scope_id, conversation_id, branch_id, number, turn_id)
select account_id, scope_id, conversation_id, %(branch_id)s::text, number, turn_id from path
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and conversation_id = %(conversation_id)s::text
   and branch_id = %(from_branch)s::text and number <= %(at)s::bigint;

-- name: path_last
-- The number of the last turn of a branch; null where there is none.
select max(number) as number from path
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and conversation_id = %(conversation_id)s::text
   and branch_id = %(branch_id)s::text;

-- name: path_of_branch
-- The turns of a branch between two numbers, with what was found in their active versions.
select p.number, t.id, t.version, t.created_at as added_at, v.created_at as said_at, v.occurred_at,
       v.extraction
  from path p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
  join version v on v.account_id = %(account_id)s::bigint and v.turn_id = t.id
    and v.number = t.version
 where p.account_id = %(account_id)s::bigint and p.scope_id = %(scope_id)s::bigint
   and p.conversation_id = %(conversation_id)s::text
   and p.branch_id = %(branch_id)s::text
   and p.number between %(first)s::bigint and %(last)s::bigint
 order by p.number;

-- name: path_last_read
-- The number of the last turn of a branch in which somebody looked for what is worth keeping.
select p.number
  from path p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
  join version v on v.account_id = %(account_id)s::bigint and v.turn_id = t.id
    and v.number = t.version
 where p.account_id = %(account_id)s::bigint and p.scope_id = %(scope_id)s::bigint
   and p.conversation_id = %(conversation_id)s::text
   and p.branch_id = %(branch_id)s::text and v.extraction is not null
 order by p.number desc limit 1;

-- name: path_naming
-- The next turn of a branch whose extraction names one of these: a key, or an item. They come as
-- they stand in JSON.
select p.number
  from path p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
  join version v on v.account_id = %(account_id)s::bigint and v.turn_id = t.id
    and v.number = t.version
 where p.account_id = %(account_id)s::bigint and p.scope_id = %(scope_id)s::bigint
   and p.conversation_id = %(conversation_id)s::text
   and p.branch_id = %(branch_id)s::text and p.number > %(after)s::bigint
   and exists (select 1 from unnest(%(names)s::text[]) n (name)
                where position(n.name in v.extraction) > 0)
 order by p.number limit 1;

-- name: path_since
-- The first turn of a branch that was added at a moment or later.
select p.number
  from path p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
 where p.account_id = %(account_id)s::bigint and p.scope_id = %(scope_id)s::bigint
   and p.conversation_id = %(conversation_id)s::text
   and p.branch_id = %(branch_id)s::text and t.created_at >= %(at)s::bigint
 order by p.number limit 1;

-- name: branches_of_turn
-- In which lines a turn stands.
select p.branch_id, p.number from path p
 where p.account_id = %(account_id)s::bigint
   and p.turn_id = %(turn_id)s::text order by p.branch_id collate "C";

-- name: floors_of_branch
-- A page of the turns of a branch, in order.
select p.number, t.id, t.version, t.created_at, t.updated_at,
       (select count(*) from version v where v.account_id = %(account_id)s::bigint
         and v.turn_id = t.id) as versions,
       (select v.occurred_at from version v where v.account_id = %(account_id)s::bigint
         and v.turn_id = t.id and v.number = t.version) as occurred_at
  from path p
  join turn t on t.account_id = %(account_id)s::bigint and t.id = p.turn_id
 where p.account_id = %(account_id)s::bigint and p.scope_id = %(scope_id)s::bigint
   and p.conversation_id = %(conversation_id)s::text
   and p.branch_id = %(branch_id)s::text
 order by case when %(descending)s::boolean then -p.number else p.number end
 limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: floor_get
-- One turn of a session.
select t.number, t.id, t.version, t.created_at, t.updated_at,
       (select count(*) from version v where v.account_id = %(account_id)s::bigint
         and v.turn_id = t.id) as versions,
       (select v.occurred_at from version v where v.account_id = %(account_id)s::bigint
         and v.turn_id = t.id and v.number = t.version) as occurred_at
  from turn t
 where t.account_id = %(account_id)s::bigint and t.id = %(id)s::text
   and t.scope_id = %(scope_id)s::bigint
   and t.conversation_id = %(conversation_id)s::text;

-- name: turn_by_key
-- The turn that was added under an idempotency key.
select id from turn
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and conversation_id = %(conversation_id)s::text
   and idempotency_key = %(idempotency_key)s::text;

-- name: turn_activate
-- Another version of a turn is the one that counts.
update turn set version = %(version)s::bigint, updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and id = %(id)s::text;

-- name: turns_drop
-- Turns go, with all that was said in them.
delete from turn where account_id = %(account_id)s::bigint and id = any(%(ids)s::text[]);

-- name: turns_orphaned
-- The turns of a session that stand in no branch any more.
select t.id from turn t
 where t.account_id = %(account_id)s::bigint and t.scope_id = %(scope_id)s::bigint
   and t.conversation_id = %(conversation_id)s::text
   and not exists (select 1 from path p where p.account_id = %(account_id)s::bigint
     and p.turn_id = t.id);

-- name: turns_of_session
-- All turns of a session, in whichever branch.
select t.id from turn t
 where t.account_id = %(account_id)s::bigint and t.scope_id = %(scope_id)s::bigint
   and t.conversation_id = %(conversation_id)s::text;

-- name: version_add
-- One more version of a turn.
insert into version (account_id, turn_id, number, created_at, occurred_at)
values (%(account_id)s::bigint, %(turn_id)s::text, %(number)s::bigint, %(now)s::bigint,
        %(occurred_at)s::bigint);

-- name: version_keep
-- What one version says that is worth keeping; null where that is to be found out anew.
update version set extraction = %(extraction)s::text
 where account_id = %(account_id)s::bigint and turn_id = %(turn_id)s::text
   and number = %(number)s::bigint;

-- name: messages_of_versions
-- What was said in the active versions of some turns, in order.
select m.turn_id, m.id, m.role, m.name, m.content
  from turn t
  join message m on m.account_id = %(account_id)s::bigint and m.turn_id = t.id
    and m.version = t.version
 where t.account_id = %(account_id)s::bigint and t.id = any(%(ids)s::text[])
 order by m.turn_id collate "C", m.position;

-- name: messages_of_turn
-- What was said in every version of a turn, in order.
select m.version, m.id, m.role, m.name, m.content from message m
 where m.account_id = %(account_id)s::bigint and m.turn_id = %(turn_id)s::text
 order by m.version, m.position;

-- name: messages_at_first
-- What was said in the first version of a turn, in order.
select m.id, m.role, m.name, m.content from message m
 where m.account_id = %(account_id)s::bigint and m.turn_id = %(turn_id)s::text and m.version = 0
 order by m.position;

-- name: scopes_named
-- Which scopes of one kind have some names.
select id, kind, name from scope
 where account_id = %(account_id)s::bigint and kind = %(kind)s::text
   and name = any(%(names)s::text[]);

-- name: jobs_of_scopes_drop
-- The background work of scopes that are gone.
delete from job
 where account_id = %(account_id)s::bigint and id in (select job_id from job_queue q
                   where q.account_id = %(account_id)s::bigint
                     and q.scope_id = any(%(scope_ids)s::bigint[]));

-- name: scope_states_drop
-- What is known of scopes that are gone.
delete from scope_state where account_id = %(account_id)s::bigint
   and scope_id = any(%(scope_ids)s::bigint[]);

-- name: struck_drop
-- What was deleted by hand in scopes that are gone.
delete from struck where account_id = %(account_id)s::bigint
   and scope_id = any(%(scope_ids)s::bigint[]);

-- name: scope_states_page
-- A page of the states of an account's scopes.
select c.* from current_scope_state c where {filter} limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: scope_states_count
-- How many scopes have a state.
select count(*) as states from current_scope_state c where {filter};

-- name: scope_state_get
-- How far a scope is.
select revision, last_floor, compacted_at from scope_state
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: scope_state_processed
-- A turn of this number was taken in, or, for null, the number is no longer known.
update scope_state set last_floor = %(last_floor)s::bigint, updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: scope_state_compacted
-- Summaries were taken in by a larger one.
update scope_state set compacted_at = %(now)s::bigint, updated_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: jobs_page
-- A page of an account's jobs.
select j.* from current_job j where {filter} limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: jobs_count
-- How many jobs there are.
select count(*) as jobs from current_job j where {filter};
