{#-
    The runs that a macro was asked for, one CTE with the name of a model for each of the rows that the steps of scores read:
    the loaded runs with the names in `run_ids`, and runs that are not loaded, from the table `new_rankings` with the rows of
    int_new_run_rankings, the name of each run, and its key, which is below 0. The CTEs read `asked_collection`.
-#}
{% macro asked_runs() -%}
new_documents as (

    select * from query_table(new_rankings)

),

-- the loaded runs among the requested ones
loaded_runs as (

    select
        runs.collection_key,
        runs.run_key,
        runs.run_id,
        runs.organization_key
    from asked_collection
    inner join {{ ref('int_runs') }} as runs using (collection_key)
    where list_contains(run_ids, runs.run_id)

),

int_runs as (

    select * from loaded_runs
    union all
    select distinct
        collection_key,
        run_key,
        run_id,
        0 as organization_key
    from new_documents

),

int_run_topics as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        run_topics.n_retrieved
    from loaded_runs
    inner join {{ ref('int_run_topics') }} as run_topics using (collection_key, run_key)
    union all
    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from new_documents
    group by
        collection_key,
        run_key,
        topic_key

),

int_judged_rankings as (

    select
        judged_rankings.collection_key,
        judged_rankings.run_key,
        judged_rankings.topic_key,
        judged_rankings.doc_key,
        judged_rankings.rank,
        judged_rankings.grade,
        judged_rankings.is_relevant
    from loaded_runs
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (collection_key, run_key)
    union all
    {{ judged_new_documents() }}

)
{%- endmacro %}

{#- The models whose rows are given then, and by ranked_new_run. -#}
{% macro given_of_asked_runs() %}
    {{ return(['int_runs', 'int_run_topics', 'int_judged_rankings']) }}
{% endmacro %}

{#-
    The rows that steps to expected scores of these runs read, as CTEs: also the unjudged documents of runs that are not
    loaded, from the table `new_relevance`, and scores from the table `topic_scores`. The model imports int_collections.
-#}
{% macro expected_of_asked_runs() -%}
-- one row: the collection
asked_collection as (

    select collection_key
    from collections
    where collection_id = collection

),

{{ asked_runs() }},

-- a run that is not loaded was not pooled
int_pooled_states as (

    select
        int_runs.run_key,
        coalesce(pooled_states.is_pooled, false) as is_pooled
    from int_runs
    left join {{ ref('int_pooled_states') }} as pooled_states using (run_key)

),

-- the documents of these runs that nobody judged
int_expected_relevance as (

    select
        relevance.collection_key,
        relevance.pool_key,
        relevance.run_key,
        relevance.topic_key,
        relevance.doc_key,
        relevance.rank,
        relevance.is_relevant,
        relevance.is_judged_if_pooled,
        relevance.support,
        relevance.probability
    from loaded_runs
    inner join {{ ref('int_expected_relevance') }} as relevance using (collection_key, run_key)
    where
        relevance.pool_key = 0
        and relevance.is_relevant is null
    union all by name
    select * from query_table(new_relevance)

),

-- the same for all measures
int_unjudged_grades as (

    select * from query_table(unjudged_grades)

),

int_asked_topic_scores as (

    select
        run_id,
        topic_id,
        score
    from query_table(topic_scores)
    where measure = asked

)
{%- endmacro %}

{#- The models whose rows are given then, and those that depend on the runs of the pool alone. -#}
{% macro given_of_expected_scores() %}
    {{ return(
        given_of_asked_runs()
        + ['int_pooled_states', 'int_expected_relevance', 'int_unjudged_grades', 'int_asked_topic_scores']
    ) }}
{% endmacro %}

{% macro stored_of_expected_scores() %}
    {{ return([
        'int_collections', 'int_judged_topics', 'int_pool_runs', 'int_contributed_judgements', 'int_expected_documents',
        'int_asked_left_out_shares'
    ]) }}
{% endmacro %}
