-- name: episode_add
-- A run begins, unless there is one with this id.
insert into episode (account_id, id, scope_id, status, context, started_at)
values (%(account_id)s::bigint, %(id)s, %(scope_id)s, 'active', %(context)s, %(now)s)
on conflict do nothing;

-- name: episode_get
-- One run, but only for the account that owns it.
select e.*, s.kind as scope_kind, s.name as scope_name
  from episode e join scope s on s.account_id = e.account_id and s.id = e.scope_id
 where e.account_id = %(account_id)s::bigint and e.id = %(id)s::text;

-- name: episode_end
-- A run ends once.
update episode
   set status = 'ended', ended_at = %(now)s, outcome_score = %(outcome_score)s::double precision
 where account_id = %(account_id)s::bigint and id = %(id)s::text and status = 'active';

-- name: episodes_page
-- The runs of an account, the last begun first, each with how many memories came from it.
select e.id, e.status, e.context, e.started_at, e.ended_at, e.outcome_score,
       s.kind as scope_kind, s.name as scope_name,
       (select count(*) from memory m
         where m.account_id = %(account_id)s::bigint and m.episode_id = e.id) as memories
  from episode e join scope s on s.account_id = e.account_id and s.id = e.scope_id
 where e.account_id = %(account_id)s::bigint
   and (%(scope_id)s::bigint is null or e.scope_id = %(scope_id)s::bigint)
   and (%(status)s::text is null or e.status = %(status)s::text)
 order by e.started_at desc, e.id collate "C" desc
 limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: episodes_count
-- How many runs an account has.
select count(*) as episodes from episode
 where account_id = %(account_id)s::bigint
   and (%(scope_id)s::bigint is null or scope_id = %(scope_id)s::bigint)
   and (%(status)s::text is null or status = %(status)s::text);
