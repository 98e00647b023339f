with

-- runs 1 and 2 are of organization 10, run 3 of organization 30
contributions (case_name, run_key, organization_key) as (

    values
    ('one_run', 1, 10),
    ('two_runs_of_one_organization', 1, 10),
    ('two_runs_of_one_organization', 2, 10),
    ('two_runs_of_two_organizations', 2, 10),
    ('two_runs_of_two_organizations', 3, 30),
    ('all_runs', 3, 30),
    ('all_runs', 1, 10),
    ('all_runs', 2, 10)

),

expected_contributors (case_name, expected) as (

    values
    -- number of runs and of organizations, the sole run, the sole organization
    ('one_run', [1, 1, 1, 10]),
    ('two_runs_of_one_organization', [2, 1, null, 10]),
    ('two_runs_of_two_organizations', [2, 2, null, null]),
    ('all_runs', [3, 2, null, null])

),

contributors as (

    select
        contributions.case_name,
        {{ contributor_columns('contributions') }}
    from contributions
    group by contributions.case_name

),

contributors_compared as (

    select
        coalesce(contributors.case_name, expected_contributors.case_name) as case_name,
        [n_runs, n_organizations, sole_run_key, sole_organization_key] as actual,
        expected
    from contributors
    full join expected_contributors on contributors.case_name = expected_contributors.case_name

),

departures (case_name, sole, left_out, expected) as (

    values
    ('the_sole_contributor_leaves', 7, 7, false),
    ('another_leaves', 7, 8, true),
    -- the result should be true and not null: the document has several contributors, or none
    ('no_sole_contributor', null, 7, true),
    ('nothing_left_out', 7, null, true),
    ('neither', null, null, true)

),

departures_compared as (

    select
        case_name,
        {{ stays_judged('sole', 'left_out') }} as actual,
        expected
    from departures

),

-- the sole contributors of a document, and the run or organization that is left out: at most one of three is not null
withdrawals (
    case_name, sole_run_key, sole_organization_key, sole_relevant_organization_key,
    left_out_run_key, left_out_organization_key, left_out_relevant_organization_key, expected
) as (

    values
    ('nothing_leaves', 1, 10, 10, null, null, null, true),
    ('with_its_run', 1, 10, 10, 1, null, null, false),
    ('with_its_organization', null, 10, null, null, 10, null, false),
    ('relevant_with_its_organization', null, 10, 10, null, null, 10, false),
    ('not_relevant_with_its_organization', null, 10, null, null, null, 10, true),
    -- equal numbers of a run and of an organization
    ('run_with_the_number_of_the_organization', 1, 10, 10, 10, null, null, true),
    ('organization_with_the_number_of_the_run', 1, 10, 10, null, 1, 1, true),
    ('of_several_organizations', null, null, null, null, null, 10, true)

),

withdrawals_compared as (

    select
        withdrawals.case_name,
        {{ stays_without('withdrawals', 'withdrawals') }} as actual,
        withdrawals.expected
    from withdrawals

),

-- run 1 of organization 10 is left out; n_relevant and n_non_relevant are the numbers of documents of a row
documents (case_name, sole_run_key, sole_organization_key, n_relevant, n_non_relevant) as (

    values
    ('only_this_run', 1, 10, 1, 2),
    ('only_its_organization', null, 10, 4, 8),
    ('another_run_of_its_organization', 2, 10, 16, 32),
    ('another_organization', 3, 30, 64, 128),
    ('several_organizations', null, null, 256, 512)

),

counts as (

    select
        {{ counts_without_columns('documents', 'n_relevant', 'n_non_relevant', '1', '10') }}
    from documents

),

counts_compared as (

    select
        'counts_without_a_run_and_its_organization' as case_name,
        [
            n_relevant_without_run,
            n_non_relevant_without_run,
            n_relevant_without_organization,
            n_non_relevant_without_organization
        ] as actual,
        [
            340,  -- all but the 1
            680,  -- all but the 2
            320,  -- 64 + 256
            640   -- 128 + 512
        ] as expected
    from counts

)

{{ wrong_cases('contributors_compared', n_cases=4) }}
union all
{{ wrong_cases('departures_compared', n_cases=5) }}
union all
{{ wrong_cases('withdrawals_compared', n_cases=8) }}
union all
{{ wrong_cases('counts_compared', n_cases=1) }}
