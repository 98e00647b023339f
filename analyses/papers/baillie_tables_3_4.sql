-- question: How many pairs of runs fall into each case?
-- about: papers
--
-- Tables 3 (P@d) and 4 (AP@d) of Baillie et al. 2008, with d in 10, 30, 100,
-- 500 and 1000: a row per measure, test and case. The paper's test is one_way.
-- published_share is the published figure of the cell for published_track,
-- which may be another collection than the requested one; null where the
-- stored text has no figure. Shares of any other measure are counts of the rows
-- of papers.decision_matrix('collection', 'nDCG@20').
--
-- parameter: collection
with

{{ imports(published='published_baillie_2008_tables_3_4') }},

decisions as (

    select * from {{ ref('int_decisions') }}($collection, {{ measurement_depths() }})

),

-- one row per pair of runs, measure and test
cases_by_test as (

    select
        decisions.performance,
        decisions.depth,
        decisions.measure,
        tests.test,
        {{ of_test('decisions.decision_case', 'tests.test') }} as decision_case
    from decisions
    cross join {{ pair_tests_as_rows() }} as tests (test)

),

-- one row per measure, test and case, including cases without pairs
shares as (

    select
        cases_by_test.performance,
        cases_by_test.depth,
        cases_by_test.measure,
        cases_by_test.test,
        cases.decision_case,
        cast(count(*) filter (where cases_by_test.decision_case = cases.decision_case) as integer) as n_pairs,
        count(*) filter (where cases_by_test.decision_case = cases.decision_case)
        / nullif(count(cases_by_test.decision_case), 0) as share
    from cases_by_test
    cross join (values (1), (2), (3), (4)) as cases (decision_case)
    group by
        cases_by_test.performance,
        cases_by_test.depth,
        cases_by_test.measure,
        cases_by_test.test,
        cases.decision_case

),

-- one row per measure, test, case and track with that cell in the stored text; where there is none, the track is
-- null
compared as (

    select
        $collection as collection_id,
        case shares.performance when 'P' then 3 else 4 end as table_number,
        shares.measure,
        shares.depth,
        shares.test,
        shares.decision_case,
        shares.n_pairs,
        shares.share,
        published.track as published_track,
        cast(published.share as double) as published_share
    from shares
    left join published
        on
            shares.measure = published.measure
            and shares.decision_case = published.decision_case

)

select * from compared
