-- name: vectors_schema
-- Made where pgvector is installed, whenever that is. Its type is halfvec, or vector before pgvector
-- 0.7: {type}. Each vector knows its model, so that vectors of two models never meet.
create table memory_vector (
    account_id bigint   not null,
    doc        bigint   not null,
    scope_id   bigint   not null,
    model_id   integer  not null references model (id),
    data       {type}   not null,
    primary key (account_id, doc),
    foreign key (account_id, doc) references document (account_id, doc)
) partition by hash (account_id);
create index vector_by_scope on memory_vector (account_id, scope_id, model_id);

do $$
begin
    for part in 0 .. current_setting('mnemic.partitions')::integer - 1 loop
        execute format(
            'create table memory_vector_%s partition of memory_vector for values with (modulus %s, remainder %s)',
            part, current_setting('mnemic.partitions'), part);
        execute format('alter table memory_vector_%s enable row level security', part);
    end loop;
    alter table memory_vector enable row level security;
    create policy own_account on memory_vector using (account_id =
        (select nullif(current_setting('mnemic.account', true), '')::bigint));
end $$;
