-- One row per topic: how many documents it has in a pool of the declared depth, or else of depth 100.
with

sizes as (

    select *
    from planning.topic_pool_sizes(
        $collection,
        depths := [(
            select coalesce(pool_depth, 100) from dim_collections
            where collection_id = $collection
        )]
    )

)

select
    sizes.topic_id,
    topics.title as topic_title,
    sizes.depth,
    sizes.n_runs,
    sizes.n_documents,
    sizes.n_of_one_organization,
    sizes.n_of_one_run
from sizes
inner join dim_topics as topics
    on
        sizes.collection_id = topics.collection_id
        and sizes.topic_id = topics.topic_id
order by
    sizes.n_documents desc,
    sizes.topic_id
