{{ config(arguments=['collection', 'author := null']) }}
{%- set measures = leaderboard_measures().keys() | list -%}

with

{{ imports('int_collections') }},

{{ asked_collection([], wrong_author(), relevance_level='cast(null as integer)', must_be_judged=false) }},

{{ judged_by_author() }},

{{ scores_by_measures(measures, by=['judge']) }},

-- one row per author, run and measure, over all topics that the author judged
run_scores as (

    select
        scores.judge,
        scores.run_key,
        cast(count(*) filter (where scores.is_answered) as integer) as n_topics,
        cast(count(*) as integer) as n_judged_topics,
        {% for measure in measures -%}
            avg(scores."{{ measure }}") as {{ leaderboard_measures()[measure] }},
        {% endfor -%}
        any_value(scores.collection_key) as collection_key
    from scores
    group by
        scores.judge,
        scores.run_key

),

-- one row per author and run: how many of its first ten documents the author judged
first_ranks as (

    select
        sets.judge,
        author_rankings.run_key,
        count(*) - count(judgements.is_relevant) as n_unjudged,
        count(*) as n_documents
    from author_rankings
    inner join sets using (topic_key)
    left join judgements using (judge, topic_key, doc_key)
    where author_rankings.rank <= 10
    group by
        sets.judge,
        author_rankings.run_key

),

named as (

    select
        collections.collection_id,
        judges.author_name as author,
        {{ leaderboard_rank('run_scores', 'run_scores.judge') }} as rank,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        run_scores.n_topics,
        run_scores.n_judged_topics,
        {{ leaderboard_columns_of('run_scores') }},
        first_ranks.n_unjudged / first_ranks.n_documents as unjudged_10
    from run_scores
    inner join judges using (judge)
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    inner join {{ ref('int_runs') }} as runs using (run_key)
    inner join {{ ref('int_pooled_states') }} as pooled_states using (run_key)
    left join first_ranks using (judge, run_key)

)

select * from named
