-- name: memory_add
-- A new memory is active, and as fresh as it will ever be: what comes from elsewhere keeps its times,
-- and ages from now on.
-- No earlier than what its scope has seen: a clock that is behind does not make it old.
insert into memory (account_id, doc, scope_id, kind, status, content, summary, content_hash,
                    measurement, category, protected, confidence, tags, scope_files, context,
                    episode_id, perception_type, created_at, updated_at, occurred_at, expires_at,
                    accessed_at)
values (%(account_id)s::bigint, %(doc)s, %(scope_id)s, %(kind)s, 'active', %(content)s, %(summary)s,
        %(content_hash)s, %(measurement)s, %(category)s, %(protected)s, %(confidence)s, %(tags)s,
        %(scope_files)s, %(context)s, %(episode_id)s, %(perception_type)s,
        %(created_at)s, %(updated_at)s, %(occurred_at)s, %(expires_at)s,
        greatest(%(now)s::bigint,
                 (select s.decayed_at from scope s
                   where s.account_id = %(account_id)s::bigint and s.id = %(scope_id)s::bigint),
                 (select max(t.changed_at) from tally t
                   where t.account_id = %(account_id)s::bigint
                     and t.scope_id = %(scope_id)s::bigint)))
returning id;

-- name: memory_revise
-- Everything that follows from the text changes in one step; the event keeps the old version.
update memory
   set doc = %(doc)s, status = 'active', content = %(content)s, summary = %(summary)s,
       content_hash = %(content_hash)s, measurement = %(measurement)s,
       category = %(category)s, protected = %(protected)s, confidence = %(confidence)s,
       tags = %(tags)s, scope_files = %(scope_files)s, context = %(context)s, updated_at = %(now)s,
       accessed_at = greatest(%(now)s::bigint, memory.accessed_at,
                              (select s.decayed_at from scope s
                                where s.account_id = memory.account_id and s.id = memory.scope_id)),
       status_reason = null, status_at = null,
       expires_at = case when memory.expires_at > %(now)s::bigint then memory.expires_at end
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memory_set_status
-- Nothing is deleted: a memory out of use stays readable, with the reason and the time.
update memory set status = %(status)s, status_reason = %(reason)s, status_at = %(now)s
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memory_get
-- One memory, but only for the account that owns it.
select m.* from current_memory m
 where m.account_id = %(account_id)s::bigint and m.id = %(id)s::bigint;

-- name: memory_hold
-- For a writer: until its commit nobody else changes what is in this memory's scope.
select id from scope
 where account_id = %(account_id)s::bigint
   and id = (select m.scope_id from memory m
              where m.account_id = %(account_id)s::bigint and m.id = %(id)s::bigint)
   for no key update;

-- name: memory_document
-- Under which number search knows a memory.
select doc, scope_id from memory
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memory_set_document
-- Search knows a memory under another number.
update memory set doc = %(doc)s
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memories_by_docs
-- The memories behind what search found; one that was forgotten meanwhile is not there.
select m.* from current_memory m
 where m.account_id = %(account_id)s::bigint and m.doc = any(%(docs)s::bigint[])
   and m.status = 'active';

-- name: memory_contents
-- Just the texts with one measurement, to compare them with a new one.
select doc, id, content from memory
 where account_id = %(account_id)s::bigint and doc = any(%(docs)s::bigint[])
   and status = 'active' and measurement = %(measurement)s::bytea and valid_until is null
   and (expires_at is null or expires_at > %(now)s::bigint);

-- name: memory_by_hash
-- The first layer of dedup: the oldest active memory with just this text and measurement.
select min(id) as id from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and content_hash = %(content_hash)s::bytea and measurement = %(measurement)s::bytea
   and status = 'active' and valid_until is null
   and (expires_at is null or expires_at > %(now)s::bigint)
having min(id) is not null;

-- name: memories_with_hash
-- What may be the same text of one kind, oldest first: the hash does not tell small letters from
-- capitals.
select id, content, context, created_at, valid_until, expires_at from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and content_hash = %(content_hash)s::bytea and status = 'active' and kind = %(kind)s::text
 order by id;

-- name: memory_last_of_episode
-- What was said just before a new memory of the same run.
select m.content, m.context from memory m
 where m.account_id = %(account_id)s::bigint and m.episode_id = %(episode_id)s::text
   and m.id < %(before_id)s::bigint and m.status = 'active'
 order by m.id desc limit 1;

-- name: memories_of_episode
-- All that an episode stored, superseded and forgotten ones included.
select m.* from current_memory m
 where m.account_id = %(account_id)s::bigint and m.episode_id = %(episode_id)s::text
 order by m.id;

-- name: memory_count
-- How many memories of a scope are in use, from its tally.
select coalesce(sum(memories), 0)::bigint as active from tally
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint;

-- name: memories_listed
-- A page of a scope, newest first; the next page starts below the last id of this one. As of a time,
-- what went out of use since was in use.
select m.* from current_memory m
 where m.account_id = %(account_id)s::bigint and m.scope_id = %(scope_id)s::bigint
   and m.id < %(before_id)s::bigint
   and (%(status)s::text is null or m.status = %(status)s::text
        or m.status_at > %(as_of)s::bigint)
   and (%(as_of)s::bigint is null or m.occurred_at <= %(as_of)s::bigint)
   and (%(category)s::text is null or m.category = %(category)s::text)
   and (%(moment)s::bigint is null or m.expires_at is null or m.expires_at > %(moment)s::bigint)
   and {filter}
 order by m.id desc limit %(limit)s;

-- name: docs_newest
-- What may be shown, newest first. Each scope is read from its newest on, until there are enough:
-- asked for all scopes at once, no index has them in this order.
select newest.doc
  from (select distinct unnest(%(scope_ids)s::bigint[]) as scope_id) wanted
  cross join lateral (
      select m.id, m.doc from current_memory m
       where m.account_id = %(account_id)s::bigint and m.scope_id = wanted.scope_id
         and m.status = 'active'
         and (%(episode_id)s::text is null or m.episode_id = %(episode_id)s::text)
         and (%(other_than_episode)s::text is null
              or m.episode_id is distinct from %(other_than_episode)s::text)
         and m.confidence >= %(min_confidence)s::double precision
         and (%(moment)s::bigint is null or m.expires_at is null
              or m.expires_at > %(moment)s::bigint)
         and (%(occurred_by)s::bigint is null or m.occurred_at <= %(occurred_by)s::bigint)
         and {filter}
       order by m.id desc limit %(limit)s
  ) newest
 order by newest.id desc limit %(limit)s;

-- name: memories_refresh
-- What a scope learned or recalled under a clock that was behind ages from now on.
update memory set accessed_at = %(now)s::bigint
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and status = 'active' and accessed_at between %(since)s::bigint and %(now)s::bigint;

-- name: memories_accessed
-- The aged confidence becomes the new base before the access moves the start of ageing: at least to
-- where the scope has aged to, or a clock that is behind would age it twice. One statement for all,
-- in the order of their numbers, and no index holds what it changes.
update memory m
   set confidence = c.confidence,
       accessed_at = greatest(m.accessed_at, c.at,
                              (select s.decayed_at from scope s
                                where s.account_id = m.account_id and s.id = m.scope_id)),
       access_count = m.access_count + c.count
  from (select o.id, o.confidence, g.count, g.at
          from unnest(%(ids)s::bigint[], %(counts)s::bigint[], %(times)s::bigint[])
               as g (id, count, at)
          join current_memory o on o.account_id = %(account_id)s::bigint and o.id = g.id
         order by o.id) c
 where m.account_id = %(account_id)s::bigint and m.id = c.id;

-- name: memory_outlive
-- Who says something again, for longer, means it to stay.
update memory set expires_at = %(expires_at)s
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memory_set_end
-- Until when it was true, and by which memory that is known; null for what is current.
update memory set valid_until = %(valid_until)s, superseded_by = %(superseded_by)s
 where account_id = %(account_id)s::bigint and id = %(id)s::bigint;

-- name: memories_overdue
-- What went out of use by itself and was not taken out yet, a portion at a time.
select id from memory
 where account_id = %(account_id)s::bigint and expires_at <= %(now)s::bigint and status = 'active'
   and id > %(after)s::bigint
 order by id limit %(limit)s;

-- name: memories_overdue_count
-- How many those are.
select count(*) as n from memory
 where account_id = %(account_id)s::bigint and expires_at <= %(now)s::bigint and status = 'active';

-- name: memories_overdue_by_kind
-- How many of a scope are counted though they went out of use by themselves.
select kind, count(*) as memories from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and expires_at <= %(now)s::bigint and status = 'active'
 group by kind;

-- name: memories_by_kind_at
-- What a scope held at a time, by kind, with what was forgotten since.
select kind, count(*) as memories, max(coalesce(occurred_at, created_at)) as changed_at
  from memory
 where account_id = %(account_id)s::bigint and scope_id = %(scope_id)s::bigint
   and coalesce(occurred_at, created_at) <= %(moment)s::bigint
   and (status = 'active' or status_at > %(moment)s::bigint)
   and (expires_at is null or expires_at > %(moment)s::bigint)
 group by kind;

-- name: memories_to_place
-- A page of the memories of a scope, the newest first, without their texts: where each stands is
-- looked up in the contexts of their documents.
select m.id, m.doc, m.created_at, m.episode_id from memory m
 where m.account_id = %(account_id)s::bigint and m.scope_id = %(scope_id)s::bigint
   and m.status = 'active' and m.id < %(before_id)s::bigint
   and (%(episode_id)s::text is null or m.episode_id = %(episode_id)s::text)
 order by m.id desc limit %(limit)s::bigint;
