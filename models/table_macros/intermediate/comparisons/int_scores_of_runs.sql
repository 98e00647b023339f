{{ config(materialized='own_macro', arguments=[
    'collection', 'asked', 'run_ids', 'new_rankings', "judgement_set := 'full'", "unjudged := 'nonrelevant'"
]) }}
{%- set given = given_of_asked_runs() + ['int_ties'] -%}
-- int_tied_scores for some runs of a collection, together with runs that are not loaded. The last two arguments
-- belong to its steps, and are never passed.

-- Macros that the macros of its step name:
-- depends_on: {{ ref('int_measure_hints') }}
{%- for rows in ['judged', 'gains', 'ideal'] %}, {{ ref('int_measured_' ~ rows) }}{% endfor %}

with

{{ imports('int_collections', 'int_topics', 'int_pool_depths', 'measures') }},

-- one row: the collection, and how it was judged
asked_collection as (

    select
        collections.collection_key,
        pool_depths.judging
    from collections
    inner join pool_depths using (collection_key)
    where collections.collection_id = collection

),

{{ asked_runs() }},

-- documents of the new runs that are tied with the document above them
tied_documents as (

    select * from new_documents
    where is_tied_above

),

{{ tie_groups() }},

int_ties as (

    select loaded_ties.*
    from loaded_runs
    inner join {{ ref('int_ties') }} as loaded_ties using (collection_key, run_key)
    union all
    select * from tie_groups

),

{{ steps(['int_tied_scores'], given) }},

-- one row per run and judged topic that it answers: number of documents down to the cutoff
top_documents as (

    select
        int_runs.run_id,
        topics.topic_id,
        int_run_topics.run_key,
        int_run_topics.topic_key,
        least(int_run_topics.n_retrieved, {{ asked_depth('asked') }}) as n_top_documents
    from int_run_topics
    inner join int_runs using (run_key)
    inner join topics
        on
            int_run_topics.collection_key = topics.collection_key
            and int_run_topics.topic_key = topics.topic_key

),

-- the same rows with the number of judged documents among them
judged_documents as (

    select
        top_documents.run_id,
        top_documents.topic_id,
        top_documents.n_top_documents,
        count(int_judged_rankings.is_relevant) as n_judged
    from top_documents
    left join int_judged_rankings
        on
            top_documents.run_key = int_judged_rankings.run_key
            and top_documents.topic_key = int_judged_rankings.topic_key
            and int_judged_rankings.rank <= {{ asked_depth('asked') }}
    group by
        top_documents.run_id,
        top_documents.topic_id,
        top_documents.n_top_documents

),

-- one row per run and judged topic
scored as (

    select
        int_tied_scores.*,
        {{ asked_trec_eval_name('asked', 'measures') }} as trec_eval_name,
        cast(coalesce(judged_documents.n_top_documents, 0) as integer) as n_top_documents,
        cast({{ if_unjudged_is_told(
            'coalesce(judged_documents.n_top_documents - judged_documents.n_judged, 0)', 'asked_collection.judging'
        ) }} as integer) as n_unjudged,
        {{ problem_with_comparing('asked') }} as problem_with_comparing,
        {{ has_bounds('measures') }} as has_bounds,
        {{ has_asked_depth('asked') }} and n_unjudged is not null as has_decision_case
    from int_tied_scores
    cross join asked_collection
    left join judged_documents using (run_id, topic_id)
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}

)

select * from scored
