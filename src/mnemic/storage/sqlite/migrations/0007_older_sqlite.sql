-- json_valid(null) is null since SQLite 3.42, and 0 before: an older one, such as the one of a Python
-- or a shell, called every event without a before or an after damaged. No row changes.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(replace(sql, 'check (json_valid(before))',
                                  'check (before is null or json_valid(before))'),
                     'check (json_valid(after))', 'check (after is null or json_valid(after))')
 where type = 'table' and name = 'event';
pragma writable_schema = reset;
