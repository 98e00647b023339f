-- question: Do two measures tell the same runs apart?
-- about: papers
--
-- A row per test of Baillie et al. 2008: which pairs of runs two measures
-- distinguish, and whether the measures agree (docs/measures_that_disagree.md).
-- All runs and all judged topics count; a topic that a run does not answer has
-- 0. n_pairs counts unordered pairs of runs. n_differ counts the pairs that
-- differ significantly by measure, and n_differ_by_other by other_measure.
-- n_same_direction and n_opposite_directions count the pairs that differ by
-- both measures, with the same better run or with another. kendall_tau is
-- Kendall's tau-b of the runs by both measures, over the topics that each run
-- answers. kendall_tau_all_topics is the same over all judged topics. Both are
-- equal for all tests.
--
-- parameter: collection
-- parameter: measure = 'AP'
-- parameter: other_measure = 'Bpref'
with

{{ imports('measures') }},

-- one row per run and judged topic by both measures, each of which is one layout
topic_scores as materialized (

    select
        1 as layout_key,
        $measure as measure,
        {{ asked_name('$measure') }} as measure_name,
        run_id,
        topic_id,
        score,
        is_answered
    from {{ ref('int_asked_topic_scores') }}($collection, $measure)
    union all
    select
        2 as layout_key,
        $other_measure as measure,
        {{ asked_name('$other_measure') }} as measure_name,
        run_id,
        topic_id,
        score,
        is_answered
    from {{ ref('int_asked_topic_scores') }}($collection, $other_measure)

),

int_layout_cells as materialized (

    select
        0 as collection_key,
        layout_key,
        run_id as run_key,
        topic_id as topic_key,
        score
    from topic_scores

),

{{ tested_pairs() }},

-- one row: number of pairs of runs in which each measure finds a difference, and in which both do
differing as (

    select
        {% for test in pair_tests() %}
            {% set differs = by_test('differs', test) %}
            cast(count(*) filter (where one.{{ differs }}) as integer) as {{ by_test('n_differ', test) }},
            cast(count(*) filter (where other.{{ differs }}) as integer) as {{ by_test('n_differ_by_other', test) }},
            cast(
                count(*) filter (
                    where
                    one.{{ differs }}
                    and other.{{ differs }}
                    and one.score_difference * other.score_difference > 0
                ) as integer
            ) as {{ by_test('n_same_direction', test) }},
            cast(
                count(*) filter (
                    where
                    one.{{ differs }}
                    and other.{{ differs }}
                    and one.score_difference * other.score_difference < 0
                ) as integer
            ) as {{ by_test('n_opposite_directions', test) }},
        {% endfor %}
        cast(count(*) as integer) as n_pairs
    from int_layout_pairs as one
    inner join int_layout_pairs as other
        on
            one.layout_key = 1
            and other.layout_key = 2
            and one.run_key = other.run_key
            and one.other_run_key = other.other_run_key

),

-- one row per measure and run: its score over the topics that it answers, and over all topics
run_scores as (

    select
        topic_scores.layout_key,
        topic_scores.run_id,
        {{ comparable(over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered')) }}
            as score,
        {{ comparable(over_topics('topic_scores.score', 'measures.aggregation', 'true')) }} as score_all_topics
    from topic_scores
    inner join measures on topic_scores.measure_name = measures.name
    group by all

),

-- one row per run that answers any topic, by both measures
ranked as (

    select
        one.run_id,
        one.score,
        other.score as other_score,
        one.score_all_topics,
        other.score_all_topics as other_score_all_topics
    from run_scores as one
    inner join run_scores as other
        on
            one.layout_key = 1
            and other.layout_key = 2
            and one.run_id = other.run_id

),

-- one row per ordered pair of runs: how each measure orders them
orders as (

    select
        sign(this.score - that.score) as score_order,
        sign(this.other_score - that.other_score) as other_order,
        sign(this.score_all_topics - that.score_all_topics) as all_topics_order,
        sign(this.other_score_all_topics - that.other_score_all_topics) as other_all_topics_order
    from ranked as this
    inner join ranked as that on this.run_id <> that.run_id

),

-- one row: the agreement of the two rankings of the runs
correlated as (

    select
        {{ kendall_tau_b(
            'sum(score_order * other_order)',
            'count(*) filter (where score_order <> 0 and other_order is not null)',
            'count(*) filter (where other_order <> 0 and score_order is not null)'
        ) }} as kendall_tau,
        {{ kendall_tau_b(
            'sum(all_topics_order * other_all_topics_order)',
            'count(*) filter (where all_topics_order <> 0)',
            'count(*) filter (where other_all_topics_order <> 0)'
        ) }} as kendall_tau_all_topics
    from orders

),

-- one row per test
agreement as (

    select
        $collection as collection_id,
        $measure as measure,
        $other_measure as other_measure,
        tests.test,
        differing.n_pairs,
        {% for column in ['n_differ', 'n_differ_by_other', 'n_same_direction', 'n_opposite_directions'] %}
            {{ of_test('differing.' ~ column, 'tests.test') }} as {{ column }},
        {% endfor %}
        correlated.kendall_tau,
        correlated.kendall_tau_all_topics
    from differing
    cross join correlated
    cross join {{ pair_tests_as_rows() }} as tests (test)

)

select * from agreement
