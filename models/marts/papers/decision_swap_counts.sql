{{
    config(
        materialized='table_macro',
        arguments=['collection', "performance := 'AP'", 'depths := ' ~ measurement_depths()],
        contract={'enforced': false},
    )
}}
-- The arguments have the names of columns:
-- noqa: disable=RF03,AL09

with

changes as (

    select * from {{ ref('int_decision_changes') }}(collection, performance, depths)

),

-- one row per depth, next depth, test, case and case at the next depth: number of pairs of runs
counted as (

    select
        collection as collection_id,
        changes.performance,
        changes.depth,
        changes.deeper_depth,
        tests.test,
        {{ of_test('changes.decision_case', 'tests.test') }} as decision_case,
        {{ of_test('changes.deeper_decision_case', 'tests.test') }} as deeper_decision_case,
        cast(count(*) as integer) as n_pairs,
        cast(count(*) filter (where changes.has_other_order) as integer) as n_other_order
    from changes
    cross join {{ pair_tests_as_rows() }} as tests (test)
    group by
        changes.performance,
        changes.depth,
        changes.deeper_depth,
        tests.test,
        {{ of_test('changes.decision_case', 'tests.test') }},
        {{ of_test('changes.deeper_decision_case', 'tests.test') }}

)

select * from counted
