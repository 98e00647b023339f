with

{{ imports('int_compared_runs') }},

-- the same rows with the place of the run by the true scores of all topics
placed as (

    select
        * replace ({{ comparable('score') }} as score, {{ comparable('true_score') }} as true_score),
        min(true_place) filter (where left_out_topic_key is null) over (
            partition by collection_key, documents, compared_author_key, run_key
        ) as place
    from (
        select
            *,
            rank() over (
                partition by collection_key, documents, compared_author_key, left_out_topic_key
                order by {{ comparable('true_score') }} desc
            ) as true_place
        from compared_runs
    ) as ranked

),

-- one row per comparison, topic that is left out (and none) and pair of runs: the order of both by either side
pairs as (

    select
        one.collection_key,
        one.documents,
        one.compared_author_key,
        one.left_out_topic_key,
        one.n_topics,
        greatest(one.place, other.place) <= {{ n_best_runs() }} as is_of_best,
        sign(one.score - other.score) as score_order,
        sign(one.true_score - other.true_score) as true_order
    from placed as one
    inner join placed as other
        on
            one.collection_key = other.collection_key
            and one.documents = other.documents
            and one.compared_author_key = other.compared_author_key
            and one.left_out_topic_key is not distinct from other.left_out_topic_key
            and one.run_key < other.run_key

),

-- one row per comparison and topic that is left out, and one without: Kendall's tau-b, of all runs and of the best
taus as (

    select
        collection_key,
        documents,
        compared_author_key,
        left_out_topic_key,
        {% for column, condition in [('kendall_tau', 'true'), ('kendall_tau_of_best', 'is_of_best')] %}
            {{ kendall_tau_b(
                'sum(score_order * true_order) filter (where ' ~ condition ~ ')',
                'sum(abs(score_order)) filter (where ' ~ condition ~ ')',
                'sum(abs(true_order)) filter (where ' ~ condition ~ ')'
            ) }} as {{ column }},
        {% endfor %}
        any_value(n_topics) as n_topics
    from pairs
    group by all

),

-- one row per comparison, with the errors over topics
with_errors as (

    select
        collection_key,
        documents,
        compared_author_key,
        {% for tau in ['kendall_tau', 'kendall_tau_of_best'] %}
            max({{ tau }}) filter (where left_out_topic_key is null) as {{ tau }},
            sqrt({{ jackknife_variance(tau, 'left_out_topic_key is not null') }}) as {{ tau }}_error,
        {% endfor %}
        max(n_topics) as n_topics
    from taus
    group by all

)

select * from with_errors
