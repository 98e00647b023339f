{{ config(arguments=['collection', 'author := null']) }}
{%- set measures = leaderboard_measures().keys() | list -%}

with

{{ imports('int_collections') }},

{{ asked_collection([], wrong_author(), relevance_level='cast(null as integer)', must_be_judged=false) }},

{{ judged_by_author() }},

treatments as (

    select 'nonrelevant' as unjudged

),

{{ scores_by_measures(measures) }},

-- one row per author, run and measure, over all topics that the author judged
run_scores as (

    select
        author_topics.author_name,
        scores.run_key,
        cast(count(*) filter (where scores.is_answered) as integer) as n_topics,
        cast(count(*) as integer) as n_judged_topics,
        {% for measure in measures -%}
            avg(scores."{{ measure }}") as {{ leaderboard_measures()[measure] }},
        {% endfor -%}
        any_value(scores.collection_key) as collection_key
    from scores
    inner join author_topics on scores.topic_key = author_topics.topic_key
    group by
        author_topics.author_name,
        scores.run_key

),

-- one row per author and run: how many of its first ten documents the author judged
first_ranks as (

    select
        author_topics.author_name,
        author_rankings.run_key,
        count(*) - count(judgements.is_relevant) as n_unjudged,
        count(*) as n_documents
    from author_rankings
    inner join author_topics on author_rankings.topic_key = author_topics.topic_key
    left join judgements
        on
            author_rankings.topic_key = judgements.topic_key
            and author_rankings.doc_key = judgements.doc_key
    where author_rankings.rank <= 10
    group by
        author_topics.author_name,
        author_rankings.run_key

),

named as (

    select
        collections.collection_id,
        run_scores.author_name as author,
        {{ leaderboard_rank('run_scores', 'run_scores.author_name') }} as rank,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        run_scores.n_topics,
        run_scores.n_judged_topics,
        {{ leaderboard_columns_of('run_scores') }},
        first_ranks.n_unjudged / first_ranks.n_documents as unjudged_10
    from run_scores
    inner join {{ ref('int_collections') }} as collections on run_scores.collection_key = collections.collection_key
    inner join {{ ref('int_runs') }} as runs on run_scores.run_key = runs.run_key
    inner join {{ ref('int_pooled_states') }} as pooled_states on run_scores.run_key = pooled_states.run_key
    left join first_ranks
        on
            run_scores.author_name = first_ranks.author_name
            and run_scores.run_key = first_ranks.run_key

)

select * from named
