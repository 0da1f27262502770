-- Which snapshot of the search index, in the file beside this one, belongs to this store.
create table snapshot (
    id    integer primary key check (id = 1),
    stamp text    not null
) strict;
insert into snapshot (id, stamp) values (1, '');
