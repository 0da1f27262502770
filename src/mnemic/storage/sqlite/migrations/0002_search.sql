-- What search knows of a text besides its terms: who said it and when, what kind of text it is
-- (bits: it tells of the real world, it asks, it speaks in the first person), how many words it
-- holds that tell something, and how many of its terms are the text's own, not its context's.
alter table document add column speaker text;
alter table document add column said_at integer;
alter table document add column traits integer not null default 0;
alter table document add column telling integer not null default 255;
alter table document add column own_terms integer;

update document
   set (speaker, said_at, traits) = (
       select lower(json_extract(m.context, '$.speaker')), m.created_at,
              json_extract(m.context, '$.env.sim_or_real') is 'real'
         from memory m where m.doc = document.doc)
 where live = 1;

-- Which snapshot of the search index, in the file beside this one, belongs to this store.
create table snapshot (
    id    integer primary key check (id = 1),
    stamp text    not null
) strict;
insert into snapshot (id, stamp) values (1, '');
