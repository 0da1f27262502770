-- The planner goes by statistics, which autovacuum brings up to date some time after a bulk load.
-- An application may have them brought up to date at once, of our tables and nothing else: `analyze`
-- itself asks for the owner of a table.
create function mnemic_analyze(names text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    found regclass;
begin
    for found in
        select c.oid from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           and c.relname = any (names)
           and c.relowner = (select relowner from pg_class where oid = 'public.memory'::regclass)
         -- Always in the same order, so that two of them never wait for each other.
         order by c.relname collate "C"
    loop
        execute format('analyze %s', found);
    end loop;
end $$;

revoke all on function mnemic_analyze(text[]) from public;
