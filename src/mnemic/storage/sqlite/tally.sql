-- name: tally_change
-- So many more or fewer memories of a kind are in use; 0 where one only changed.
insert into tally (scope_id, kind, memories, changed_at)
values (:scope_id, :kind, max(:change, 0), :now)
on conflict (scope_id, kind) do update
   set memories = memories + :change, changed_at = max(changed_at, :now);

-- name: tally_of_scope
-- What a scope holds, kind by kind.
select kind, memories, changed_at from tally where scope_id = :scope_id order by kind;
