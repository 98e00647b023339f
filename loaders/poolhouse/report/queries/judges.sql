-- One row per author of judgements that is compared with the reference: its agreement with the reference on documents, and on the
-- order of the runs by the measure. No rows where the collection has one author.
with

agreement as (

    select agreement.*
    from fct_author_agreement as agreement
    inner join dim_authors as authors
        on
            agreement.collection_id = authors.collection_id
            and agreement.author = authors.author
            and authors.is_reference
    where
        agreement.collection_id = $collection
        and agreement.topic_id is null

)

select
    agreement.other_author as author,
    agreement.n_pairs,
    agreement.kappa,
    agreement.weighted_kappa,
    agreement.kappa_of_persons,
    orders.kendall_tau,
    orders.tau_ap,
    orders.rbo,
    orders.n_differ_by_reference,
    orders.n_same_direction,
    orders.n_opposite_directions,
    orders.n_differ - orders.n_same_direction - orders.n_opposite_directions as n_only_author
from agreement
left join author_order_agreement($collection, $measure) as orders
    on
        agreement.other_author = orders.author
        and orders.test = 'tukey'
order by
    agreement.kappa desc nulls last,
    agreement.other_author
