-- name: audit_add
-- One act, in the transaction that does it. Without a name it is about the account that acts. Who
-- acts with a key is told by the key.
insert into audit_entry (account_number, at, actor, key_id, act, target, scope_id, counts, outcome,
                         request_id, address)
values (coalesce((select id from account where name = %(account)s::text), %(account_id)s::bigint),
        %(at)s, %(actor)s, %(key_id)s, %(act)s, %(target)s, %(scope_id)s, %(counts)s,
        %(outcome)s, %(request_id)s, %(address)s);

-- name: audit_trim_refused
-- Strangers cause these entries: only the latest are kept.
delete from audit_entry
 where act = 'key.refused'
   and id <= (select id from audit_entry where act = 'key.refused'
               order by id desc limit 1 offset %(kept)s::bigint);

-- name: audit_page
-- The latest acts first: of one account, or of all where none is named. Names are looked up: those
-- of what was erased are gone.
select e.id, a.name as account, e.at, coalesce(k.name, e.actor, e.key_id) as actor, e.key_id, e.act,
       e.target, e.account_number, e.scope_id, e.counts, e.outcome, e.request_id, e.address
  from audit_entry e
  left join account a on a.id = e.account_number
  left join api_key k on k.id = e.key_id
 where (%(account_id)s::bigint is null or e.account_number = %(account_id)s::bigint)
   and (%(account)s::text is null or a.name = %(account)s::text)
   and (%(act)s::text is null or e.act = %(act)s::text)
   and (%(since)s::bigint is null or e.at >= %(since)s::bigint)
 order by e.id desc limit %(limit)s::bigint offset %(offset)s::bigint;

-- name: audit_count
-- How long the list of those acts is.
select count(*) as entries from audit_entry e left join account a on a.id = e.account_number
 where (%(account_id)s::bigint is null or e.account_number = %(account_id)s::bigint)
   and (%(account)s::text is null or a.name = %(account)s::text)
   and (%(act)s::text is null or e.act = %(act)s::text)
   and (%(since)s::bigint is null or e.at >= %(since)s::bigint);
