-- A text that is too long for one entry of the index has several: its own is that of its beginning,
-- and `head` names it in the entries of the passages after it. A message of a chat has as many as it
-- takes, none of which is its head.
alter table document add column head integer;
create index document_by_head on document (head) where head is not null;

-- Where a passage stands in its text, in characters: the text itself is kept once, with its memory or
-- its message.
create table passage (
    doc      integer primary key references document (doc) on delete cascade,
    turn_id  text references turn (id) on delete cascade,
    version  integer,
    position integer,
    first    integer not null check (first >= 0),
    last     integer not null check (last > first),
    check ((turn_id is null) = (version is null) and (turn_id is null) = (position is null))
) strict;
create index passage_by_turn on passage (turn_id) where turn_id is not null;

-- One more kind of scope: what was said in a session, whichever branch it was said in.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(sql, '''resting''))', '''resting'', ''said''))')
 where type = 'table' and name = 'scope';
pragma writable_schema = reset;
