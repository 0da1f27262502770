-- Row n belongs to the large scope or, in turn, to one of 92 small ones, so that no account's rows
-- lie side by side. The numbers of memories and of their documents differ, as they do in life.
create temp table row as
select n, n + 1000000 as doc, account, 100 * account + part as scope,
       'run-' || n % 20000 as episode, account = 1 as is_large
  from (select n,
               case when n % 25 < 2 then 1 else 2 + n % 46 end as account,
               case when n % 25 < 2 then 1 else 1 + n / 46 % 2 end as part
          from generate_series(1, 100000) n) numbered;

-- What refers to what is known to be right; it need not be checked.
set session_replication_role = replica;
insert into account (id, name, created_at)
select n, 'account-' || n, 0 from generate_series(1, 5000) n;
insert into scope (account_id, id, kind, name, seq, created_at)
select n, n * 100 + part, 'collection', 'scope-' || part, 2000000, 0
  from generate_series(1, 5000) n, generate_series(1, 2) part;
insert into scope (account_id, id, kind, name, created_at)
select n, n * 100 + 10 + part, 'user', 'user-' || part, 0
  from generate_series(1, 5000) n, generate_series(1, 20) part;
insert into model (name, dimensions) values ('short', 64), ('long', 512);
insert into episode (account_id, id, scope_id, status, context, started_at)
select distinct on (account, episode) account, episode, scope, 'active', '{}', 0 from row;
insert into receipt (account_id, token)
select 1 + n % 47, gen_random_uuid() from generate_series(1, 20000) n;
insert into document (account_id, doc, seq, scope_id, thread, live, terms)
select account, doc, doc, scope, hashtext(episode), n % 49 > 0, 'terms of about as many bytes'
  from row;
insert into memory (account_id, id, doc, scope_id, kind, status, content, summary, content_hash,
                    category, protected, confidence, tags, scope_files, context, episode_id,
                    created_at, updated_at, accessed_at)
select account, n, doc, scope, 'fact', case when n % 49 > 0 then 'active' else 'invalidated' end,
       'what was learned in trial ' || n || repeat(' and more', 10), 'a summary',
       sha256(n::text::bytea), 'observation', false, 0.9, '[]', '[]',
       format('{"task": {"success": %s, "name": "task-%s"}}', n % 3 = 0, n % 999), episode, n, n, n
  from row;
insert into event (account_id, scope_id, memory_id, verb, actor, at)
select account, scope, n, 'created', 'robot', n from row;
insert into payload (account_id, memory_id, data) select account, n, 'x' from row;
insert into edge (account_id, from_id, to_id, relation, created_at)
select account, n, n + 46, 'supersedes', 0 from row;
-- Most jobs are over; of the others, each account's wait in one line.
insert into job (account_id, id, payload, created_at)
select 1 + n % 47, 'job-' || n, '{}', n from generate_series(1, 20000) n;
insert into job_queue (account_id, job_id, number, scope_id, kind, status, max_attempts, run_at,
                       updated_at, finished_at)
select 1 + n % 47, 'job-' || n, n, (1 + n % 47) * 100 + 1, 'ingest',
       case when n % 20 > 0 then 'succeeded' else 'pending' end, 3, n, n,
       case when n % 20 > 0 then n end
  from generate_series(1, 20000) n;
insert into tally (account_id, scope_id, kind, memories, changed_at)
select n, n * 100 + part, 'fact', 1, 0
  from generate_series(1, 5000) n, generate_series(1, 2) part;
insert into tally (account_id, scope_id, kind, memories, changed_at)
select n, n * 100 + 10 + part, 'core', 1, 0
  from generate_series(1, 5000) n, generate_series(1, 20) part;
insert into activity (account_id, scope_id, slot, number, action, at)
select 1 + n % 1000, (1 + n % 1000) * 100 + 1, n / 1000, n, 'add', n
  from generate_series(0, 19999) n;
insert into usage (account_id, scope_id, hour, operations)
select 1 + n % 1000, (1 + n % 1000) * 100 + 1, n / 1000, 1 from generate_series(0, 99999) n;
-- Twenty conversations of each account, with fifty turns each.
insert into conversation (account_id, scope_id, id, turns, created_at, updated_at)
select a, a * 100 + 1, 'c-' || c, 50, c, c from generate_series(1, 47) a, generate_series(0, 19) c;
insert into turn (account_id, id, scope_id, conversation_id, number, created_at)
select a, 't-' || n, a * 100 + 1, 'c-' || n / 50, n % 50, n
  from generate_series(1, 47) a, generate_series(0, 999) n;
insert into message (account_id, id, turn_id, position, role, content)
select a, 'm-' || n, 't-' || n / 2, n % 2, 'user', 'what was said'
  from generate_series(1, 47) a, generate_series(0, 1999) n;
insert into source (account_id, memory_id, turn_id)
select account, n, 't-' || n % 1000 from row;

-- A graph over what is there is made in a fraction of the time that growing it takes.
create temp table graph as
select replace(pg_get_indexdef('memory_vector_near_512'::regclass), ' ONLY ', ' ') as made;
drop index memory_vector_near_512;
-- Every window on one long list of numbers is a vector of its own.
with noise as materialized (
    select array_agg((random() - 0.5)::real) as numbers from generate_series(1, 101000)
)
insert into memory_vector (account_id, doc, scope_id, model_id, data)
select account, doc, scope, case when is_large then 2 else 1 end,
       numbers[n : n + case when is_large then 511 else 63 end]::halfvec
  from row, noise where n % 49 > 0;
do $$ begin execute (select made from graph); end $$;
