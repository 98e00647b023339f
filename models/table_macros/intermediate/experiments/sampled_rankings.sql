{{ config(arguments=['collection', 'depth']) }}
-- The rankings of all runs, without the documents that no sampled pool has: a pool of some of these runs, to this
-- depth, judges only documents that some run has in its top.

with

{{ imports('int_collections') }},

-- the rankings of the collection
rankings as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from collections
    inner join {{ ref('int_rankings') }} as rankings using (collection_key)
    where collections.collection_id = collection

),

-- one row per topic and document in the top of a run
tops as (

    select distinct
        topic_key,
        doc_key
    from rankings
    where rank <= depth

),

-- the rankings of these documents
ranked as (

    select rankings.*
    from rankings
    inner join tops using (topic_key, doc_key)

)

select * from ranked
