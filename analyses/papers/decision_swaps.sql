-- question: Which comparisons change as depth grows?
-- about: papers
--
-- Baillie et al. 2008, section 4.2.3: a row per unordered pair of runs, depth
-- and next depth between which its case of the decision matrix changes by any
-- test, or the order of its two runs changes (docs/decision_matrix.md).
-- performance is P or AP. decision_case and deeper_decision_case are the cases
-- at depth and at deeper_depth, and has_other_case says whether they differ.
-- Columns that end in _two_way and _tukey are the same by these tests.
-- has_other_order says whether the other run is the better one at deeper_depth,
-- significantly or not. A pair with equal scores at either depth has no order
-- that could change.
--
-- parameter: collection
-- parameter: performance = 'AP'
-- parameter: depths = {{ measurement_depths() }}
with

decisions as (

    select * from {{ ref('int_decisions') }}($collection, cast($depths as integer[]))

),

-- one row: the arguments; or an error
asked as (

    select
        case
            when not coalesce($performance in ('P', 'AP'), false)
                then error(
                    coalesce($performance, 'null') || ' is not P or AP: changes are computed for these two only'
                )
            when len(list_distinct(cast($depths as integer[]))) = 1
                then error('only one depth is given: name two or more, because cases are compared between depths')
            else $performance
        end as performance

),

-- one row per pair of runs and depth, with the next requested depth; the deepest depth has no row
followed as (

    select
        decisions.*,
        {% for test in pair_tests() %}
            lead(decisions.{{ by_test('decision_case', test) }}) over pair
                as deeper_{{ by_test('decision_case', test) }},
        {% endfor %}
        lead(decisions.depth) over pair as deeper_depth,
        lead(decisions.difference) over pair as deeper_difference,
        lead(decisions.assessment_difference) over pair as deeper_assessment_difference
    from asked
    inner join decisions on asked.performance = decisions.performance
    window pair as (
        partition by decisions.run_id, decisions.other_run_id
        order by decisions.depth
    )

),

-- one row per pair of runs, depth and next depth: whether its case or its order is different there
changes as (

    select
        $collection as collection_id,
        run_id,
        other_run_id,
        performance,
        depth,
        deeper_depth,
        difference,
        deeper_difference,
        assessment_difference,
        deeper_assessment_difference,
        {% for test in pair_tests() %}
            {{ by_test('decision_case', test) }},
            deeper_{{ by_test('decision_case', test) }},
            coalesce({{ by_test('decision_case', test) }}, 0)
            <> coalesce(deeper_{{ by_test('decision_case', test) }}, 0)
                as {{ by_test('has_other_case', test) }},
        {% endfor %}
        sign({{ comparable('difference') }}) * sign({{ comparable('deeper_difference') }}) < 0 as has_other_order
    from followed
    where deeper_depth is not null

)

select * from changes
where
    has_other_case
    or has_other_case_two_way
    or has_other_case_tukey
    or has_other_order
