-- name: episode_add
-- A run begins, unless there is one with this id.
insert into episode (id, scope_id, status, context, started_at)
values (:id, :scope_id, 'active', :context, :now)
on conflict do nothing;

-- name: episode_get
-- One run, but only for the account that owns it.
select e.*, s.kind as scope_kind, s.name as scope_name
  from episode e join scope s on s.id = e.scope_id
 where e.id = :id and s.account_id = :account_id;

-- name: episode_end
-- A run ends once.
update episode set status = 'ended', ended_at = :now, outcome_score = :outcome_score
 where id = :id and status = 'active';
