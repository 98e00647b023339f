with

{{ imports('int_runs', 'int_authors', compared_runs="int_compared_runs where documents = 'common'") }},

-- one row per author, run, and topic that is left out (and none): the line of the scores of all runs by the author over
-- those by the reference, and the places; tied runs share their places
boards as (

    select
        *,
        {% for column in ['score', 'true_score'] %}
            avg({{ column }}) over board as mean_{{ column }},
            stddev_pop({{ column }}) over board as spread_of_{{ column }},
            {{ mean_place(column, 'collection_key, compared_author_key, left_out_topic_key') }}
                as place_by_{{ column }},
        {% endfor %}
        regr_slope(score, true_score) over board as slope,
        count(*) over board as n_runs
    from compared_runs
    window board as (partition by collection_key, compared_author_key, left_out_topic_key)

),

-- the same rows with the score that the run wins by the author: above the line, which is what the author gives to a run
-- with this score by the reference. An author that calls much relevant, or errs at random, has another line, and favours
-- nobody. There is no line where all scores of one of the two are the same, and two runs are on theirs.
winnings as (

    select
        *,
        case
            when least({{ comparable('spread_of_score') }}, {{ comparable('spread_of_true_score') }}) > 0 and n_runs > 2
                then score - mean_score - slope * (true_score - mean_true_score)
        end as score_won
    from boards

),

-- one row per author and run: whether what is known about the run names the author's language model
members as (

    select
        runs.collection_key,
        authors.author_key as compared_author_key,
        runs.run_key,
        {{ model_family('authors.model') }} as family,
        {{ says_it_uses('runs', 'family') }} as says_it_uses_model,
        unnest(['run', 'organization', 'run_type', 'model']) as grouped_by,
        unnest([
            runs.run_id, runs.organization, runs.run_type, case when says_it_uses_model then family end
        ]) as group_name
    from authors
    inner join runs using (collection_key)

),

-- one row per author, group and topic that is left out, and one without: the means over the runs of the group. All runs
-- together win nothing, by definition.
of_groups as (

    select
        winnings.collection_key,
        winnings.compared_author_key,
        members.grouped_by,
        members.group_name,
        winnings.left_out_topic_key,
        any_value(winnings.n_topics) as n_topics,
        count(*) as n_runs,
        bool_or(members.says_it_uses_model) as says_it_uses_model,
        avg(winnings.score) as score,
        avg(winnings.true_score) as true_score,
        avg(winnings.place_by_score) as place,
        avg(winnings.place_by_true_score) as true_place,
        case
            when count(*) < any_value(winnings.n_runs)
                then {{ unsigned_zero(comparable('avg(winnings.score_won)')) }}
        end as score_won
    from winnings
    inner join members using (collection_key, compared_author_key, run_key)
    where members.group_name is not null
    group by all

),

-- one row per author and group
favours as (

    select
        collection_key,
        compared_author_key,
        grouped_by,
        group_name,
        max(n_topics) as n_topics,
        max(n_runs) as n_runs,
        bool_or(says_it_uses_model) as says_it_uses_model,
        {% for column in ['score', 'true_score', 'place', 'true_place', 'score_won'] %}
            max({{ column }}) filter (where left_out_topic_key is null) as {{ column }},
        {% endfor %}
        case
            when count(score_won) filter (where left_out_topic_key is not null) = max(n_topics)
                then sqrt({{ jackknife_variance('score_won', 'left_out_topic_key is not null') }})
        end as standard_error
    from of_groups
    group by all

)

select * from favours
