{#- What lies at its bound lies there to the last digit: nothing is rounded away before it is compared. -#}
with

-- a thousand documents, all relevant
rankings as (

    select
        rank,
        rank as nth_judged,
        true as is_relevant
    from range(1, 1001) as listed (rank)

),

weighed as (

    select
        {{ measure('RBPResidual(p=0.2)@10') }} as residual_20,
        {{ measure('RBPResidual(p=0.8)@10') }} as residual_80,
        {{ measure('RBPResidual(p=0.8)') }} as uncut_residual,
        {{ measure('UnjudgedRate@1000') }} as unjudged_rate
    from rankings

),

-- the same ranking, judged from some rank on
judged_late as (

    select
        starts.first_rank,
        {{ measure('RBPResidual(p=0.8)') }} as residual
    from (
        select
            first_ranks.first_rank,
            listed.rank,
            listed.rank - first_ranks.first_rank + 1 as nth_judged,
            true as is_relevant
        from range(1, 1000) as first_ranks (first_rank)
        inner join range(1, 1001) as listed (rank) on first_ranks.first_rank <= listed.rank
    ) as starts
    group by starts.first_rank

),

-- topics of which nothing is found
topic_scores as (

    select
        'geometric_mean' as aggregation,
        0.00001::double as score
    from range(50)

),

-- ideal rankings of twenty documents, of which the first `n_highest` have the highest grade
graded as (

    select
        n_highest,
        rank,
        case when rank <= n_highest then 4 else 1 end as grade
    from range(1, 20) as numbers (n_highest), range(1, 21) as listed (rank)

),

-- what an ideal ranking gains from rank to rank, added up one after the other
ideal_gains as (

    select
        n_highest,
        sum({{ discounted_gain('rank', 'grade') }}) over (partition by n_highest order by rank) as gain_so_far
    from graded

),

-- the same documents, added up in the other order
gained as (

    select
        graded.n_highest,
        graded.rank,
        graded.grade,
        ideals.ideal_dcg
    from graded
    inner join (
        select
            n_highest,
            max(gain_so_far) as ideal_dcg
        from ideal_gains
        group by n_highest
    ) as ideals on graded.n_highest = ideals.n_highest
    order by graded.rank desc

),

ndcg as (

    select
        n_highest,
        {{ measure('nDCG') }} as score
    from gained
    group by n_highest

),

-- 1 - 0.9 - 0.1 is -2.8e-17, which rounds to -0.0
rates (precision, anti_precision, delta_precision, delta_anti_precision) as (

    values (0.9::double, 0.1::double, -0.25::double, 0.25::double)

),

indicators as (

    select
        *,
        {{ unjudged_rate('precision', 'anti_precision') }} as unjudged_rate,
        {{ delta_unjudged_rate('0.0::double', '0.0::double') }} as no_change
    from rates

),

cases (case_name, actual, expected) as (

    select 'residual_20', residual_20 = 0, true from weighed
    union all
    select 'residual_80', residual_80 = 0, true from weighed
    union all
    -- 0.8^1000 = 1.2e-97 is left below the last document
    select 'uncut_residual', uncut_residual between 1e-97 and 2e-97, true from weighed
    union all
    select 'late_residual', max(residual) <= 1, true from judged_late
    union all
    select 'unjudged_rate', unjudged_rate = 0, true from weighed
    union all
    select 'gmap', {{ over_topics('score', 'aggregation', 'true') }} >= 0.00001::double, true from topic_scores
    union all
    select 'ndcg', max(score) <= 1, true from ndcg
    union all
    select 'rate', cast(unjudged_rate as varchar) = '0.0', true from indicators
    union all
    select 'no_change', cast(no_change as varchar) = '0.0', true from indicators
    union all
    -- 0 times a negative bracket
    select 'lambda', cast({{ lipani_lambda() }} as varchar) = '0.0', true
    from (select * replace (0.0::double as unjudged_rate) from indicators) as settled

)

{{ wrong_cases('cases', n_cases=10) }}
