with

collections as (

    select * from {{ source('raw', 'collections') }}

),

qrels_files as (

    select * from {{ source('ops', 'files') }}
    where kind = 'qrels'

)

select
    collections.collection_key,
    collections.collection_id,
    collections.title,
    collections.declared_pool_depth,
    collections.declared_judging,
    collections.relevance_threshold,
    collections.judged_from,
    collections.pooling_order,
    collections.highest_grade,
    collections.track,
    collections.year,
    collections.task,
    collections.main_measure,
    collections.passage_mark,
    collections.n_judgements_left_out,
    qrels_files.sha256 is not null as is_judged
from collections
left join qrels_files using (collection_key)
