-- name: memory_add
-- A new memory is active, and as fresh as it will ever be: what comes from elsewhere keeps its times,
-- and ages from now on.
-- No earlier than what its scope has seen: a clock that is behind does not make it old.
insert into memory (doc, scope_id, kind, status, content, summary, content_hash, measurement,
                    category, protected, confidence, tags, scope_files, context, episode_id,
                    perception_type, created_at, updated_at, occurred_at, expires_at, accessed_at)
values (:doc, :scope_id, :kind, 'active', :content, :summary, :content_hash, :measurement,
        :category, :protected, :confidence, :tags, :scope_files, :context, :episode_id,
        :perception_type, :created_at, :updated_at, :occurred_at, :expires_at,
        max(:now, (select coalesce(decayed_at, :now) from scope where id = :scope_id),
            (select coalesce(max(changed_at), :now) from tally where scope_id = :scope_id)))
returning id;

-- name: memory_revise
-- Everything that follows from the text changes in one step; the event keeps the old version.
update memory
   set doc = :doc, status = 'active', content = :content, summary = :summary,
       content_hash = :content_hash, measurement = :measurement,
       category = :category, protected = :protected,
       confidence = :confidence, tags = :tags, scope_files = :scope_files, context = :context,
       updated_at = :now, status_reason = null, status_at = null,
       expires_at = case when expires_at > :now then expires_at end,
       accessed_at = max(:now, accessed_at,
                         (select coalesce(s.decayed_at, :now) from scope s
                           where s.id = memory.scope_id))
 where id = :id;

-- name: memory_set_status
-- Nothing is deleted: a memory out of use stays readable, with the reason and the time.
update memory set status = :status, status_reason = :reason, status_at = :now where id = :id;

-- name: memory_get
-- One memory, but only for the account that owns it.
select m.* from current_memory m where m.id = :id and m.account_id = :account_id;

-- name: memory_hold
-- For a writer: here, every writer already holds the whole store.
select id from memory where id = :id;

-- name: memory_document
-- Under which number search knows a memory.
select doc, scope_id from memory where id = :id;

-- name: memory_set_document
-- Search knows a memory under another number.
update memory set doc = :doc where id = :id;

-- name: memories_by_docs
-- The memories behind what search found; one that was forgotten meanwhile is not there.
select m.* from current_memory m
 where m.doc in (select value from json_each(:docs)) and m.status = 'active';

-- name: memory_contents
-- Just the texts with one measurement, to compare them with a new one.
select doc, id, content from memory
 where doc in (select value from json_each(:docs)) and status = 'active'
   and measurement = :measurement and valid_until is null
   and (expires_at is null or expires_at > :now);

-- name: memory_by_hash
-- The first layer of dedup: the oldest active memory with just this text and measurement.
select min(id) as id from memory
 where scope_id = :scope_id and content_hash = :content_hash and measurement = :measurement
   and status = 'active' and valid_until is null and (expires_at is null or expires_at > :now)
having min(id) is not null;

-- name: memories_with_hash
-- What may be the same text of one kind, oldest first: the hash does not tell small letters from
-- capitals.
select id, content, context, created_at, valid_until, expires_at from memory
 where scope_id = :scope_id and content_hash = :content_hash and status = 'active'
   and kind = :kind
 order by id;

-- name: memory_last_of_episode
-- What was said just before a new memory of the same run.
select m.content, m.context from memory m
 where m.id = (select max(e.id) from memory e
                where e.episode_id = :episode_id and e.id < :before_id and e.status = 'active');

-- name: memories_of_episode
-- All that an episode stored, superseded and forgotten ones included.
select m.* from current_memory m
 where m.episode_id = :episode_id and m.account_id = :account_id
 order by m.id;

-- name: memory_count
-- How many memories of a scope are in use, from its tally.
select coalesce(sum(memories), 0) as active from tally
 where scope_id = :scope_id;

-- name: memories_listed
-- A page of a scope, newest first; the next page starts below the last id of this one. As of a time,
-- what went out of use since was in use.
select m.* from current_memory m
 where m.scope_id = :scope_id and m.id < :before_id
   and (:status is null or m.status = :status or m.status_at > :as_of)
   and (:as_of is null or m.occurred_at <= :as_of)
   and (:category is null or m.category = :category)
   and (:moment is null or m.expires_at is null or m.expires_at > :moment)
   and {filter}
 order by m.id desc limit :limit;

-- name: docs_newest
-- What may be shown, newest first.
select m.doc from current_memory m
 where m.scope_id in (select value from json_each(:scope_ids))
   and m.status = 'active'
   and (:episode_id is null or m.episode_id = :episode_id)
   and (:other_than_episode is null or m.episode_id is not :other_than_episode)
   and m.confidence >= :min_confidence
   and (:moment is null or m.expires_at is null or m.expires_at > :moment)
   and (:occurred_by is null or m.occurred_at <= :occurred_by)
   and {filter}
 order by m.id desc limit :limit;

-- name: memories_refresh
-- What a scope learned or recalled under a clock that was behind ages from now on.
update memory set accessed_at = :now
 where scope_id = :scope_id and status = 'active' and accessed_at between :since and :now;

-- name: memories_accessed
-- The aged confidence becomes the new base before the access moves the start of ageing: at least to
-- where the scope has aged to, or a clock that is behind would age it twice. A list that is not
-- materialized gets no index: each memory would look through all of it.
update memory
   set confidence = (select c.confidence from current_memory c where c.id = memory.id),
       accessed_at = max(accessed_at, g.at,
                         (select coalesce(s.decayed_at, g.at) from scope s
                           where s.id = memory.scope_id)),
       access_count = access_count + g.count
  from (with c as materialized (select key, value from json_each(:counts)),
             t as materialized (select key, value from json_each(:times))
        select i.value as id, c.value as count, t.value as at
          from json_each(:ids) i join c on c.key = i.key join t on t.key = i.key) g
 where memory.id = g.id;

-- name: memory_outlive
-- Who says something again, for longer, means it to stay.
update memory set expires_at = :expires_at where id = :id;

-- name: memory_set_end
-- Until when it was true, and by which memory that is known; null for what is current.
update memory set valid_until = :valid_until, superseded_by = :superseded_by
 where id = :id;

-- name: memories_overdue
-- What went out of use by itself and was not taken out yet, a portion at a time.
select m.id from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id and m.expires_at <= :now and m.status = 'active' and m.id > :after
 order by m.id limit :limit;

-- name: memories_overdue_count
-- How many those are.
select count(*) as n from memory m join scope s on s.id = m.scope_id
 where s.account_id = :account_id and m.expires_at <= :now and m.status = 'active';

-- name: memories_overdue_by_kind
-- How many of a scope are counted though they went out of use by themselves.
select kind, count(*) as memories from memory
 where scope_id = :scope_id and expires_at <= :now and status = 'active'
 group by kind;

-- name: memories_by_kind_at
-- What a scope held at a time, by kind, with what was forgotten since.
select kind, count(*) as memories, max(coalesce(occurred_at, created_at)) as changed_at
  from memory
 where scope_id = :scope_id and coalesce(occurred_at, created_at) <= :moment
   and (status = 'active' or status_at > :moment)
   and (expires_at is null or expires_at > :moment)
 group by kind;

-- name: memories_to_place
-- A page of the memories of a scope, the newest first, without their texts: where each stands is
-- looked up in the contexts of their documents.
select m.id, m.doc, m.created_at, m.episode_id from memory m
 where m.scope_id = :scope_id and m.status = 'active' and m.id < :before_id
   and (:episode_id is null or m.episode_id = :episode_id)
 order by m.id desc limit :limit;
