{{ config(arguments=['collection', 'asked', 'top := 10']) }}
-- `compared_scores` is read by its name in a text:
-- noqa: disable=ST03

with

{{ imports('measures') }},

authors as (

    select
        collections.collection_id,
        all_authors.author,
        all_authors.is_reference,
        all_authors.is_compared
    from {{ ref('int_authors') }} as all_authors
    inner join {{ ref('int_collections') }} as collections using (collection_key)

),

-- one row per author that is compared, or the reference, run and topic that it judged
topic_scores as materialized (

    select
        author_scores.author as leaderboard,
        author_scores.run_id,
        author_scores.topic_id,
        author_scores.score,
        authors.is_reference as is_of_reference
    from {{ ref('author_topic_scores') }}(collection, asked, null) as author_scores
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join authors using (collection_id, author)
    where coalesce(authors.is_reference or authors.is_compared, true)

),

-- one row per author and run, over all topics that the author judged
run_scores as (

    select
        topic_scores.leaderboard,
        topic_scores.run_id,
        any_value(topic_scores.is_of_reference) as is_of_reference,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score
    from topic_scores
    inner join measures on measures.name = {{ asked_name('asked') }}
    group by all

),

-- one row per other author and run, beside the reference
compared_scores as (

    select
        one.leaderboard,
        one.run_id,
        one.score,
        truth.score as true_score
    from run_scores as one
    inner join run_scores as truth
        on
            one.run_id = truth.run_id
            and truth.is_of_reference
    where not one.is_of_reference

),

leaderboard_agreement as (

    select * from {{ ref('int_leaderboard_agreement') }}('compared_scores', top)

),

-- the scores of each author are one layout
int_layout_cells as materialized (

    select
        0 as collection_key,
        leaderboard as layout_key,
        run_id as run_key,
        topic_id as topic_key,
        score
    from topic_scores

),

{{ tested_pairs() }},

-- one row per other author: number of pairs of runs in which it finds a difference, in which the reference does, and in
-- which both do
differing as (

    select
        one.layout_key as leaderboard,
        {% for test in pair_tests() %}
            {% set differs = by_test('differs', test) %}
            cast(count(*) filter (where one.{{ differs }}) as integer) as {{ by_test('n_differ', test) }},
            cast(count(*) filter (where truth.{{ differs }}) as integer)
                as {{ by_test('n_differ_by_reference', test) }},
            {% for column, relation in [('n_same_direction', '>'), ('n_opposite_directions', '<')] %}
                cast(
                    count(*) filter (
                        where
                        one.{{ differs }}
                        and truth.{{ differs }}
                        and one.score_difference * truth.score_difference {{ relation }} 0
                    ) as integer
                ) as {{ by_test(column, test) }},
            {% endfor %}
        {% endfor %}
        cast(count(*) as integer) as n_pairs
    from int_layout_pairs as one
    inner join int_layout_pairs as truth
        on
            one.run_key = truth.run_key
            and one.other_run_key = truth.other_run_key
            and one.layout_key <> truth.layout_key
    inner join authors
        on
            truth.layout_key = authors.author
            and authors.collection_id = collection
            and authors.is_reference
    group by one.layout_key

),

-- one row per other author and test
agreement as (

    select
        collection as collection_id,
        leaderboard_agreement.leaderboard as author,
        asked as measure,
        leaderboard_agreement.n_runs,
        leaderboard_agreement.kendall_tau,
        leaderboard_agreement.tau_ap,
        leaderboard_agreement.rbo,
        leaderboard_agreement.kendall_tau_of_top,
        tests.test,
        {% for column in ['n_differ', 'n_differ_by_reference', 'n_same_direction', 'n_opposite_directions'] %}
            {{ of_test('differing.' ~ column, 'tests.test') }} as {{ column }},
        {% endfor %}
        differing.n_pairs
    from leaderboard_agreement
    cross join {{ pair_tests_as_rows() }} as tests (test)
    left join differing using (leaderboard)

)

select * from agreement
