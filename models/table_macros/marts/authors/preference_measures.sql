{{ config(arguments=['collection']) }}
{#- trec_eval's measures, where each preference is a judgement group of its own, so that none follows from others. -#}
{%- set possible = 'nullif(sum(n_possible){}, 0)' -%}
{%- set share = 'avg(n_fulfilled / nullif(n_possible, 0)){}' -%}
{%- set both, any = ' filter (where n_retrieved = 2)', ' filter (where n_retrieved > 0)' -%}
{%- set measures = {
    'prefs_num_prefs_poss': 'sum(n_possible)',
    'prefs_num_prefs_ful': 'sum(n_fulfilled)',
    'prefs_num_prefs_ful_ret': 'sum(n_fulfilled)' ~ both,
    'prefs_simp': 'sum(n_fulfilled) / ' ~ possible.format(''),
    'prefs_simp_ret': 'sum(n_fulfilled)' ~ both ~ ' / ' ~ possible.format(both),
    'prefs_simp_imp': 'sum(n_fulfilled) / ' ~ possible.format(any),
    'prefs_avgjg': 'sum(n_fulfilled) / sum(n_lines)',
    'prefs_avgjg_ret': 'sum(n_fulfilled)' ~ both ~ ' / sum(n_lines)',
    'prefs_avgjg_imp': 'sum(n_fulfilled) / sum(n_lines)',
    'prefs_pair': share.format(''),
    'prefs_pair_ret': share.format(both),
    'prefs_pair_imp': share.format(any),
} %}

with

{{ imports('stg_preferences', 'int_collections', 'int_runs', 'int_topics', 'int_documents', 'int_rankings') }},

{{ asked_collection(['collection'], relevance_level='cast(null as integer)', must_be_judged=false) }},

-- the rankings of topics with preferences, in the order of these measures: tied documents by id, ascending
ordered as (

    select
        rankings.run_key,
        topics.topic_id,
        documents.doc_id,
        count(*) filter (where not rankings.is_tied_above) over (
            partition by rankings.run_key, rankings.topic_key order by rankings.rank
        ) * 4294967296 - rankings.rank as place
    from asked_collection
    inner join rankings using (collection_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    semi join preferences using (collection_key, topic_id)

),

-- one row per run, author, topic that the run answers and pair of documents. What is not returned is below the others.
fulfilled as (

    select
        runs.run_key,
        preferences.author,
        preferences.topic_id,
        least(preferences.doc_id, preferences.other_doc_id) as lesser_id,
        greatest(preferences.doc_id, preferences.other_doc_id) as greater_id,
        any_value(cast(place is not null as integer) + cast(other_place is not null as integer)) as n_retrieved,
        count(*) as n_lines,
        count(*) filter (where not preferences.is_equal) as n_possible,
        count(*) filter (
            where not preferences.is_equal and coalesce(place < other_place, place is not null)
        ) as n_fulfilled
    from asked_collection
    inner join preferences using (collection_key)
    inner join runs using (collection_key)
    semi join ordered using (run_key, topic_id)
    left join ordered as better using (run_key, topic_id, doc_id)
    left join ordered as other (run_key, topic_id, other_doc_id, other_place) using (run_key, topic_id, other_doc_id)
    group by all

),

-- one row per author, run and topic
topic_scores as (

    select
        author,
        run_key,
        topic_id,
        {% for name, value in measures.items() -%}
        coalesce({{ value }}, 0) as {{ name }}{{ ',' if not loop.last }}
        {% endfor %}
    from fulfilled
    group by all

),

-- the same rows, and one row per author and run: a sum of counts and a mean of shares
named as (

    select
        collection as collection_id,
        author,
        run_id,
        topic_id,
        {% for name in measures -%}
        {{ 'sum' if '_num_' in name else 'avg' }}({{ name }}) as {{ name }}{{ ',' if not loop.last }}
        {% endfor %}
    from topic_scores
    inner join runs using (run_key)
    group by grouping sets ((author, run_id, topic_id), (author, run_id))

)

select * from named
