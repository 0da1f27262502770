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
insert into api_key (id, account, name, hash, access, created_at)
select 'key-' || n, 'account-' || n, 'a program', sha256(n::text::bytea), 'write', 0
  from generate_series(1, 5000) n;
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
insert into edge (account_id, from_id, to_id, relation, uid, created_at)
select account, n, n + 46, 'updates', 'e-' || n, n from row;
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
insert into turn (account_id, id, scope_id, conversation_id, number, idempotency_key, created_at,
                  updated_at)
select a, 't-' || n, a * 100 + 1, 'c-' || n / 50, n % 50, 'k-' || n, n, n
  from generate_series(1, 47) a, generate_series(0, 999) n;
insert into message (account_id, id, turn_id, position, role, content)
select a, 'm-' || n, 't-' || n / 2, n % 2, 'user', 'what was said'
  from generate_series(1, 47) a, generate_series(0, 1999) n;
insert into source (account_id, memory_id, turn_id)
select account, n, 't-' || n % 1000 from row;
-- A document of each account is a passage of one of its turns.
insert into passage (account_id, doc, turn_id, version, position, first, last)
select account, doc, 't-' || n % 1000, 0, n % 2, 0, 12 from row;
-- Each turn in two versions, in the branch that it was said in and in a fork.
insert into version (account_id, turn_id, number, extraction, created_at)
select a, 't-' || n, number, '{}', n
  from generate_series(1, 47) a, generate_series(0, 999) n, generate_series(0, 1) number;
insert into branch (account_id, scope_id, conversation_id, id, parent, forked_at, created_at)
select a, a * 100 + 1, 'c-' || c, name, null, null, c
  from generate_series(1, 47) a, generate_series(0, 19) c, (values ('main'), ('fork')) b (name);
insert into path (account_id, scope_id, conversation_id, branch_id, number, turn_id)
select a, a * 100 + 1, 'c-' || n / 50, name, n % 50, 't-' || n
  from generate_series(1, 47) a, generate_series(0, 999) n, (values ('main'), ('fork')) b (name);
-- Twenty chats of each account, each with its session.
insert into scope (account_id, id, kind, name, created_at)
select n, n * 100 + 50 + part, 'chat', 's-' || part, 0
  from generate_series(1, 5000) n, generate_series(1, 20) part;
insert into conversation (account_id, scope_id, id, turns, created_at, updated_at)
select a, a * 100 + 50 + c, 's-' || c, 0, c, c
  from generate_series(1, 1000) a, generate_series(1, 20) c;
insert into scope_state (account_id, scope_id, revision, last_floor, updated_at)
select account_id, id, 1, 1, id from scope where kind in ('chat', 'collection');
insert into struck (account_id, scope_id, uid, struck_at)
select account_id, id, 'gone-' || n, n from scope, generate_series(1, 3) n where kind = 'chat';
-- Every memory is an item, too; of the rest of a chat's values, some are common and some rare.
insert into item (account_id, memory_id, doc, uid, scope_id, scope_kind, kind, tier, fact_key,
                  importance, confidence, floor_id, message_id, status, lifecycle, wrapped, tokens,
                  pinned, origin, turn_id, version, edited, displaced_by, created_at, updated_at)
select account, n, doc, 'i-' || n, scope, 'chat', case when n % 3 = 0 then 'summary' else 'fact' end,
       case when n % 3 = 0 then 'micro' end, case when n % 3 > 0 then 'key-' || n % 500 end,
       n % 997 / 1000.0, 1, 't-' || n % 1000, 'm-' || n % 2000,
       case when n % 49 > 0 then 'active' else 'deprecated' end,
       case when n % 49 > 0 then 'active' else 'deprecated' end, false, 10, false,
       case when n % 2 = 0 then 'turn' end, case when n % 2 = 0 then 't-' || n % 1000 end, 0, false,
       case when n % 101 = 0 then 't-1' end, n, n
  from row;
insert into item_tally (account_id, scope_id, kind, tier, status, lifecycle, items, importance,
                        confidence, tokens)
select account_id, scope_id, kind, coalesce(tier, ''), status, lifecycle, count(*), 0, 0, 0
  from item group by 1, 2, 3, 4, 5, 6;
insert into item_tally (account_id, scope_id, kind, tier, status, lifecycle, items, importance,
                        confidence, tokens)
select account_id, id, 'fact', '', 'active', 'active', 1, 0, 0, 0 from scope where kind = 'chat';

insert into erasure (account_id, id, kind, account, mark, made_at, number, counts, actor, erased_at,
                     finished_at)
select a, 'erasure_' || n, 'memory', '', '', n, n, '{}', 'robot', n, case when n > 1 then n end
  from generate_series(1, 1000) a, generate_series(1, 20) n;

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
