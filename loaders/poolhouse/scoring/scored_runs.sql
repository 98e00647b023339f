{#-
    Scores of runs of a collection by several measures, as columns of one query: the score engine reads the rows of the
    warehouse, and the rankings of runs that are not loaded in the table `new_rankings`. A measure whose parameters
    change these rows is scored by int_scores_of_runs.
-#}
{%- set depth_of_measure = asked_depth('asked.measure') -%}
{#- One row: the collection, and the names of the loaded runs. -#}
{%- macro one_collection(level=none) -%}
asked_collection as (

    select
        collections.collection_key,
        {{ level if level else 'collections.relevance_threshold' }} as relevance_level,
        pool_depths.judging,
        cast($runs as varchar[]) as run_ids
    from intermediate.int_collections as collections
    inner join intermediate.int_pool_depths as pool_depths using (collection_key)
    where collections.collection_id = $collection

)
{%- endmacro -%}
{#- One row per run, topic and measure, from one column per measure. -#}
{%- macro by_measure() -%}
by_measure as (

    select *
    from scores
    unpivot include nulls (
        score for measure in ({% for measure in measures %}"{{ measure }}"{{ ', ' if not loop.last }}{% endfor %})
    )

)
{%- endmacro -%}

{%- if part == 'measures' -%}
-- one row per measure: its depth, the relevance level in its name, and what the seed says of it
select
    asked.measure,
    cast({{ depth_of_measure }} as bigint) as depth,
    cast({{ asked_parameter('asked.measure', 'rel') }} as integer) as level,
    {{ asked_trec_eval_name('asked.measure', 'measures') }} as trec_eval_name,
    {{ has_bounds('measures') }} as has_bounds,
    regexp_matches(asked.measure, '[(,]({{ parameters_on_demand() | join('|') }})=') as is_on_demand
from (select unnest($measures) as measure) as asked
inner join seeds.measures as measures on measures.name = {{ asked_name('asked.measure') }}
{%- elif part == 'scores' -%}
with

{{ one_collection() }},

{{ asked_runs() }},

judgements as (

    select judgements.*
    from asked_collection
    inner join intermediate.int_judgements as judgements using (collection_key)

),

sets as (

    select judged_topics.*
    from asked_collection
    inner join intermediate.int_judged_topics as judged_topics using (collection_key)

),

run_topics as (

    select * from int_run_topics

),

judged_rankings as (

    select * from int_judged_rankings

),

lists as (

    select
        sets.collection_key,
        sets.topic_key,
        int_runs.run_key
    from int_runs
    cross join sets

),

{{ scores_by_measures(measures) }},

{{ by_measure() }},

depths as (

    select
        asked.measure,
        {{ depth_of_measure }} as depth
    from (select unnest($measures) as measure) as asked

),

{{ top_documents() }}

select
    int_runs.run_id,
    topics.topic_id,
    by_measure.measure,
    by_measure.score,
    by_measure.is_answered,
    cast(coalesce(top_documents.n_top_documents, 0) as integer) as n_top_documents,
    cast({{ if_unjudged_is_told(
        'coalesce(top_documents.n_top_documents - top_documents.n_judged, 0)', 'asked_collection.judging'
    ) }} as integer) as n_unjudged
from by_measure
cross join asked_collection
inner join int_runs on by_measure.run_key = int_runs.run_key
inner join intermediate.int_topics as topics
    on
        by_measure.collection_key = topics.collection_key
        and by_measure.topic_key = topics.topic_key
inner join depths on by_measure.measure = depths.measure
left join top_documents
    on
        by_measure.run_key = top_documents.run_key
        and by_measure.topic_key = top_documents.topic_key
        and depths.depth = top_documents.depth
{%- elif part == 'if relevant' -%}
-- one row per run, judged topic that it answers, and measure of this depth and relevance level
with

{{ one_collection(level) }},

{{ if_relevant(depth) }},

{{ scores_by_measures(measures, by=['qrels_key']) }},

{{ by_measure() }}

select
    run_topics.run_id,
    topics.topic_id,
    by_measure.measure,
    by_measure.score as score_if_relevant
from by_measure
inner join run_topics
    on
        by_measure.run_key = run_topics.run_key
        and by_measure.topic_key = run_topics.topic_key
inner join intermediate.int_topics as topics
    on
        by_measure.collection_key = topics.collection_key
        and by_measure.topic_key = topics.topic_key
{%- endif -%}
