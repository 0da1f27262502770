-- What was measured with a memory, as a fingerprint: empty where nothing was. The same sentence with
-- another measurement is another memory. What is there already gets its fingerprint when this step is
-- done, from its context.
alter table memory add column measurement bytea not null default '';

-- The first layer of dedup: one look-up, whatever the size of the store, and however often one
-- sentence was said of different measurements. Counting a scope reads it too.
drop index memory_by_hash;
create index memory_by_hash on memory (account_id, scope_id, content_hash, measurement)
 where status = 'active';
