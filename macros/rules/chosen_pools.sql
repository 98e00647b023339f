{#-
    A pool of chosen documents in the form that steps read, with the number 1. The names are those of the arguments of
    the macro: `collection`, `chosen` (a table of topic_id and doc_id), `of_runs` and `depth`, the cutoff of the
    measures. A run contributes the documents of the pool that it returns down to the depth of the topic: the lowest
    rank from which a document of the pool comes, each at its best rank. So a pool of a depth is the stored pool of this
    depth. A document that nobody judged is not in the pool.
-#}
{% macro chosen_pools() -%}
planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

{{ judged_choice() }},

int_pool_runs as (

    select
        collection_key,
        1 as pool_key,
        run_key,
        organization_key
    from planned_runs

),

-- each run of the pool is the one that leaves it
int_candidates as (

    select
        *,
        organization_key as own_organization_key,
        true as is_member,
        true as is_scored
    from int_pool_runs

),

int_levels as (

    select * from (values ('run'), ('organization')) as listed (level)

),

-- every judged topic, including topics that a run does not answer
int_run_topics as (

    select
        planned_runs.collection_key,
        planned_runs.run_key,
        judged_topics.topic_key
    from planned_runs
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)

),

-- the documents of the pool in the rankings of its runs
int_rankings as (

    select rankings.*
    from planned_runs
    inner join {{ ref('int_rankings') }} as rankings using (collection_key, run_key)
    inner join int_judgements using (collection_key, topic_key, doc_key)

),

-- one row per topic
topic_depths as (

    select
        topic_key,
        max(best_rank) as topic_depth
    from (
        select
            topic_key,
            min(pooling_rank) as best_rank
        from int_rankings
        group by
            topic_key,
            doc_key
    ) as documents
    group by topic_key

),

int_contributions as (

    select
        int_rankings.collection_key,
        int_rankings.topic_key,
        int_rankings.doc_key,
        int_rankings.run_key,
        planned_runs.organization_key,
        int_rankings.rank
    from int_rankings
    inner join planned_runs using (run_key)
    inner join topic_depths
        on
            int_rankings.topic_key = topic_depths.topic_key
            and {{ is_contribution('int_rankings.pooling_rank', 'topic_depths.topic_depth') }}

),

-- the runs with the depth that the pool has on every topic
int_pooled_runs as (

    select
        planned_runs.collection_key,
        planned_runs.run_key,
        planned_runs.organization_key,
        depths.pool_depth
    from planned_runs
    cross join (select min(topic_depth) as pool_depth from topic_depths) as depths

),

{{ weights_of_ranks() }},

int_pool_measures as (

    select
        1 as pool_key,
        'all' as subset,
        measure,
        depth as cutoff
    from int_measure_weights
    group by measure

),

{{ steps(['int_pool_contributions', 'int_pool_documents'], relations_of_pools()) }}
{%- endmacro %}

{#- CTEs that end in `int_judgements`: the judged documents of the table `chosen` (topic_id and doc_id). -#}
{% macro judged_choice() -%}
asked_collection as (

    select collection_key
    from {{ ref('int_collections') }}
    where collection_id = collection

),

chosen_documents as (

    select
        topics.collection_key,
        topics.topic_key,
        documents.doc_key
    from query_table(chosen) as chosen_ids
    cross join asked_collection
    inner join {{ ref('int_topics') }} as topics using (collection_key, topic_id)
    inner join {{ ref('int_documents') }} as documents using (collection_key, doc_id)

),

int_judgements as (

    select judgements.*
    from chosen_documents
    inner join {{ ref('int_judgements') }} as judgements using (collection_key, topic_key, doc_key)
    where judgements.is_judged

)
{%- endmacro %}
