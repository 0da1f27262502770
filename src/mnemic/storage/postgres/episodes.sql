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
