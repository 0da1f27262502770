-- A text that is too long for one entry of the index has several: its own is that of its beginning,
-- and `head` names it in the entries of the passages after it. A message of a chat has as many as it
-- takes, none of which is its head.
alter table document add column head bigint;
create index document_by_head on document (account_id, head) where head is not null;

-- Where a passage stands in its text, in characters: the text itself is kept once, with its memory or
-- its message.
create table passage (
    account_id bigint  not null,
    doc        bigint  not null,
    turn_id    text,
    version    bigint,
    position   bigint,
    first      integer not null check (first >= 0),
    last       integer not null check (last > first),
    primary key (account_id, doc),
    foreign key (account_id, doc) references document (account_id, doc) on delete cascade,
    foreign key (account_id, turn_id) references turn (account_id, id) on delete cascade,
    check ((turn_id is null) = (version is null) and (turn_id is null) = (position is null))
) partition by hash (account_id);
create index passage_by_turn on passage (account_id, turn_id) where turn_id is not null;

-- One more kind of scope: what was said in a session, whichever branch it was said in.
alter table scope drop constraint scope_kind_check;
alter table scope add constraint scope_kind_check
    check (kind in ('collection', 'user', 'global', 'chat', 'branch', 'floor', 'resting', 'said'));

do $$
declare
    parts integer;
begin
    select number into parts from mnemic_partitions;
    for part in 0 .. parts - 1 loop
        execute format(
            'create table %I partition of passage for values with (modulus %s, remainder %s)',
            'passage_' || part, parts, part);
        execute format('alter table %I enable row level security', 'passage_' || part);
    end loop;
    alter table passage enable row level security;
    create policy own_account on passage using (account_id =
        (select nullif(current_setting('mnemic.account', true), '')::bigint));
end $$;
