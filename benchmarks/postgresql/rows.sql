-- name: sizes
-- Of each table and each index, over all of its partitions.
select root.relname, sum(pg_relation_size(part.oid)),
       sum(coalesce(pg_total_relation_size(nullif(part.reltoastrelid, 0)), 0)),
       part.relkind = 'i', max(owner.relname)
  from pg_class part
  left join pg_index x on x.indexrelid = part.oid
  join pg_class root on root.oid = coalesce(pg_partition_root(part.oid), part.oid)
  join pg_class owner
    on owner.oid = coalesce(pg_partition_root(coalesce(x.indrelid, part.oid)), x.indrelid, part.oid)
 where part.relnamespace = 'public'::regnamespace and part.relkind in ('r', 'i')
 group by 1, 4

-- name: versions
select current_setting('server_version'),
       (select extversion from pg_extension where extname = 'vector')

-- name: log
select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), wal_fpi from pg_stat_wal
