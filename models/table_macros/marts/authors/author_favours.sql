{{ config(arguments=['collection', 'asked', 'author := null']) }}

with

{{ imports('measures', 'quantiles') }},

{{ t_quantiles() }},

{{ topic_scores_beside_reference() }},

-- one row per author or mixture, run, and topic that the author and the reference judged: both scores, and how the
-- measure aggregates them. A geometric mean is the mean of logarithms.
both_scores as (

    select
        one.name,
        one.run_id,
        one.topic_id,
        {% for scores, column in [('one', 'score'), ('truth', 'true_score')] %}
            case measures.aggregation when 'geometric_mean' then ln({{ scores }}.score) else {{ scores }}.score end
                as {{ column }},
        {% endfor %}
        measures.aggregation
    from topic_scores as one
    inner join topic_scores as truth
        on
            one.run_id = truth.run_id
            and one.topic_id = truth.topic_id
            and truth.is_truth
    inner join measures on measures.name = {{ asked_name('asked') }}
    where not one.is_truth

),

-- one row per author and run: the sums over all topics
sums as (

    select
        name,
        run_id,
        any_value(aggregation) as aggregation,
        count(*) as n_topics,
        sum(score) as score,
        sum(true_score) as true_score
    from both_scores
    group by all

),

-- the same rows, and one per topic that is left out: the sums over the other topics
sums_of_topics as (

    select
        *,
        cast(null as varchar) as left_out_topic,
        n_topics as n_kept
    from sums
    union all by name
    select
        sums.* replace (
            sums.score - both_scores.score as score,
            sums.true_score - both_scores.true_score as true_score
        ),
        both_scores.topic_id as left_out_topic,
        sums.n_topics - 1 as n_kept
    from sums
    inner join both_scores using (name, run_id)
    where sums.n_topics > 1

),

-- the same rows with the scores of the run over these topics
scored as (

    select
        name,
        run_id,
        left_out_topic,
        {% for column in ['score', 'true_score'] %}
            case aggregation
                when 'geometric_mean' then exp({{ column }} / n_kept)
                when 'sum' then {{ column }} / n_kept * n_topics
                else {{ column }} / n_kept
            end as {{ column }},
        {% endfor %}
        n_topics
    from sums_of_topics

),

-- the same rows with the line of the scores of all runs by the author over those by the reference, and the places; tied
-- runs share their places
boards as (

    select
        *,
        {% for column in ['score', 'true_score'] %}
            avg({{ column }}) over board as mean_{{ column }},
            stddev_pop({{ column }}) over board as spread_of_{{ column }},
        {% endfor %}
        regr_slope(score, true_score) over board as slope,
        count(*) over board as n_runs,
        {{ mean_place('true_score', 'name, left_out_topic') }}
        - ({{ mean_place('score', 'name, left_out_topic') }}) as places_won
    from scored
    window board as (partition by name, left_out_topic)

),

-- the same rows with the score that the run wins by the author: above the line, which is what the author gives to a run
-- with this score by the reference. An author that calls much relevant, or errs at random, has another line, and favours
-- nobody. There is no line where all scores of one of the two are the same, and two runs are on theirs.
winnings as (

    select
        name,
        run_id,
        left_out_topic,
        n_topics,
        n_runs,
        places_won,
        case
            when least({{ comparable('spread_of_score') }}, {{ comparable('spread_of_true_score') }}) > 0 and n_runs > 2
                then score - mean_score - slope * (true_score - mean_true_score)
        end as score_won
    from boards

),

-- one row per run and group that it is in
groups as (

    select
        all_runs.run_id,
        unnest(['organization', 'run_type']) as grouped_by,
        unnest([all_runs.organization, all_runs.run_type]) as group_name
    from {{ ref('int_runs') }} as all_runs
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    where collections.collection_id = collection

),

-- one row per author, group and topic that is left out, and one without: the means over the runs of the group. All runs
-- together win nothing, by definition.
of_groups as (

    select
        winnings.name,
        winnings.left_out_topic,
        groups.grouped_by,
        groups.group_name,
        any_value(winnings.n_topics) as n_topics,
        count(*) as n_runs,
        avg(winnings.places_won) as places_won,
        case
            when count(*) < any_value(winnings.n_runs)
                then {{ unsigned_zero(comparable('avg(winnings.score_won)')) }}
        end as score_won
    from winnings
    inner join groups using (run_id)
    where groups.group_name is not null
    group by all

),

-- one row per author and group, with the standard error of the jackknife: each topic is left out in turn
jackknifed as (

    select
        name,
        grouped_by,
        group_name,
        any_value(n_topics) as n_topics,
        max(n_runs) as n_runs,
        max(places_won) filter (where left_out_topic is null) as places_won,
        max(score_won) filter (where left_out_topic is null) as score_won,
        case
            when count(score_won) filter (where left_out_topic is not null) = any_value(n_topics)
                then sqrt(
                    (any_value(n_topics) - 1) * var_pop(score_won) filter (where left_out_topic is not null)
                )
        end as standard_error
    from of_groups
    group by all

),

named as (

    select
        collection as collection_id,
        jackknifed.name as author,
        asked as measure,
        jackknifed.grouped_by,
        jackknifed.group_name,
        cast(jackknifed.n_runs as integer) as n_runs,
        jackknifed.places_won,
        jackknifed.score_won,
        {% for end, sign in [('low', '-'), ('high', '+')] %}
            jackknifed.score_won {{ sign }} t_quantiles.t_95 * jackknifed.standard_error
                as t_95_{{ end }},
        {% endfor %}
        jackknifed.standard_error
    from jackknifed
    left join t_quantiles on {{ has_t_quantiles('jackknifed.n_topics - 1') }}

)

select * from named
