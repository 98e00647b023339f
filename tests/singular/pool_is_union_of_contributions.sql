-- Collections in which the pooled documents, with their numbers of contributing runs, are not just
-- the union of the contributions.
with

contributions as (

    select * from {{ ref('int_contributions') }}

),

contributors as (

    select * from {{ ref('int_contributors') }}

),

contributed as (

    select
        collection_key,
        count(*) as n_contributions,
        count(distinct row(topic_key, doc_key)) as n_documents
    from contributions
    group by collection_key

),

pooled as (

    select
        collection_key,
        sum(n_runs) as n_contributions,
        count(*) as n_documents
    from contributors
    group by collection_key

)

select
    contributed.*,
    pooled.*
from contributed
full join pooled on contributed.collection_key = pooled.collection_key
where
    contributed.n_contributions is distinct from pooled.n_contributions
    or contributed.n_documents is distinct from pooled.n_documents
