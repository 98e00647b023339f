with

{{ imports('int_comparison_scores') }},

-- one row per comparison and run: the sums over all topics
sums as (

    select
        collection_key,
        documents,
        compared_author_key,
        run_key,
        any_value(aggregation) as aggregation,
        count(*) as n_topics,
        sum(score) as score,
        sum(true_score) as true_score
    from comparison_scores
    group by all

),

-- the same rows, and one per topic that is left out: the sums over the other topics
sums_of_topics as (

    select
        *,
        cast(null as integer) as left_out_topic_key,
        n_topics as n_kept
    from sums
    union all by name
    select
        sums.* replace (
            sums.score - comparison_scores.score as score,
            sums.true_score - comparison_scores.true_score as true_score
        ),
        comparison_scores.topic_key as left_out_topic_key,
        sums.n_topics - 1 as n_kept
    from sums
    inner join comparison_scores using (collection_key, documents, compared_author_key, run_key)
    where sums.n_topics > 1

),

-- the same rows with the scores of the run over these topics
scored as (

    select
        collection_key,
        documents,
        compared_author_key,
        run_key,
        left_out_topic_key,
        {% for column in ['score', 'true_score'] %}
            case aggregation
                when 'geometric_mean' then exp({{ column }} / n_kept)
                when 'sum' then {{ column }} / n_kept * n_topics
                else {{ column }} / n_kept
            end as {{ column }},
        {% endfor %}
        n_topics
    from sums_of_topics

)

select * from scored
