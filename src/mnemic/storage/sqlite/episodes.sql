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

-- name: episodes_page
-- The runs of an account, the last begun first, each with how many memories came from it.
select e.id, e.status, e.context, e.started_at, e.ended_at, e.outcome_score,
       s.kind as scope_kind, s.name as scope_name,
       (select count(*) from memory m where m.episode_id = e.id) as memories
  from episode e join scope s on s.id = e.scope_id
 where s.account_id = :account_id and (:scope_id is null or e.scope_id = :scope_id)
   and (:status is null or e.status = :status)
 order by e.started_at desc, e.id desc limit :limit offset :offset;

-- name: episodes_count
-- How many runs an account has.
select count(*) as episodes from episode e join scope s on s.id = e.scope_id
 where s.account_id = :account_id and (:scope_id is null or e.scope_id = :scope_id)
   and (:status is null or e.status = :status);
