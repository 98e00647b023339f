{#- A score that should be at its bound equals the bound to the last digit. The test rounds nothing. -#}
with

-- a thousand documents, all relevant: the weight below the last is 0.8^1000 = 1.2e-97
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

-- the same ranking, judged from different ranks on
late_rankings as (

    select
        first_ranks.first_rank,
        listed.rank,
        listed.rank - first_ranks.first_rank + 1 as nth_judged,
        true as is_relevant
    from range(1, 1000) as first_ranks (first_rank)
    inner join range(1, 1001) as listed (rank) on first_ranks.first_rank <= listed.rank

),

judged_late as (

    select
        first_rank,
        {{ measure('RBPResidual(p=0.8)') }} as residual
    from late_rankings
    group by first_rank

),

-- topics whose relevant documents were not found
topic_scores as (

    select
        'geometric_mean' as aggregation,
        cast(0.00001 as double) as score
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

-- the gains of an ideal ranking from rank to rank, added up in this order
ideal_gains as (

    select
        n_highest,
        sum({{ discounted_gain('rank', 'grade') }}) over (partition by n_highest order by rank) as gain_so_far
    from graded

),

ideals as (

    select
        n_highest,
        max(gain_so_far) as ideal_dcg
    from ideal_gains
    group by n_highest

),

-- the same documents, added up in the other order
gained as (

    select
        graded.n_highest,
        graded.rank,
        graded.grade,
        ideals.ideal_dcg
    from graded
    inner join ideals on graded.n_highest = ideals.n_highest
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

    values (cast(0.9 as double), cast(0.1 as double), cast(-0.25 as double), cast(0.25 as double))

),

indicators as (

    select
        *,
        {{ unjudged_rate('precision', 'anti_precision') }} as unjudged_rate,
        {{ delta_unjudged_rate('cast(0 as double)', 'cast(0 as double)') }} as no_change
    from rates

),

gmap as (

    select {{ over_topics('score', 'aggregation', 'true') }} as score
    from topic_scores

),

settled as (

    select * replace (cast(0 as double) as unjudged_rate)
    from indicators

),

-- 0 times a negative bracket
lambdas as (

    select {{ lipani_lambda() }} as bias_lambda
    from settled

),

cases as (

    {% for case_name, relation, condition in [
        ('residual_20', 'weighed', 'residual_20 = 0'),
        ('residual_80', 'weighed', 'residual_80 = 0'),
        ('uncut_residual', 'weighed', 'uncut_residual between 1e-97 and 2e-97'),
        ('late_residual', 'judged_late', 'max(residual) <= 1'),
        ('all_judged', 'weighed', 'unjudged_rate = 0'),
        ('gmap', 'gmap', 'score >= cast(0.00001 as double)'),
        ('ndcg', 'ndcg', 'max(score) <= 1'),
        ('unjudged_rate', 'indicators', "cast(unjudged_rate as varchar) = '0.0'"),
        ('no_change', 'indicators', "cast(no_change as varchar) = '0.0'"),
        ('lambda', 'lambdas', "cast(bias_lambda as varchar) = '0.0'"),
    ] %}
        select
            '{{ case_name }}' as case_name,
            {{ condition }} as actual,
            true as expected
        from {{ relation }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

{{ wrong_cases('cases', n_cases=10) }}
