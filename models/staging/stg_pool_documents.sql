with

pool_documents as (

    select * from {{ source('raw', 'pool_documents') }}

),

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

)

select
    collection_key,
    list_number,
    query as topic_id,
    docno as doc_id,
    is_listed,
    place,
    is_sampled,
    stratum,
    n_documents,
    inclusion_probability,
    joint_probability,
    between_factor
from pool_documents
anti join leave_out_pairs using (collection_key, query, docno)
