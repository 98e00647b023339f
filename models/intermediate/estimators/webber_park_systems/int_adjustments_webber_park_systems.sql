with

{{ imports(
    'int_member_losses', 'int_pair_losses', 'int_pool_measures', 'int_run_topics', pairs='int_pool_pairs'
) }},

-- one row per run
topic_counts as (

    select
        collection_key,
        run_key,
        count(*) as n_topics
    from run_topics
    group by all

),

-- one row per pool, run, treatment and measure: its loss whoever the candidate is, summed over topics
member_sums as (

    select
        collection_key,
        pool_key,
        run_key,
        unjudged,
        measure,
        sum(loss) as loss
    from member_losses
    group by all

),

-- whether the candidate takes the place of the withdrawn run, as in the paper, or does not, as in Lipani et al.
variants as (

    select *
    from (
        values
        (true, 'webber_park_systems'),
        (false, 'webber_park_systems_no_substitution')
    ) as listed (has_substitution, estimator)

),

treatments as (

    select * from (values ('nonrelevant'), ('condensed')) as listed (unjudged)

),

-- one row per candidate, level, treatment, measure and estimator: the mean loss of the other runs, each a mean
-- over the topics that the withdrawn run answers (Webber & Park 2009, algorithm 1)
adjustments as (

    select
        pairs.collection_key,
        pairs.pool_key,
        pairs.level,
        pairs.run_key,
        treatments.unjudged,
        pool_measures.measure,
        variants.estimator,
        avg(
            (coalesce(member_sums.loss, 0) + coalesce(pair_losses.loss, 0)) / topic_counts.n_topics
        ) as adjustment
    from pairs
    inner join pool_measures using (pool_key)
    inner join topic_counts
        on
            pairs.collection_key = topic_counts.collection_key
            and pairs.member_run_key = topic_counts.run_key
    cross join treatments
    cross join variants
    left join member_sums
        on
            pairs.collection_key = member_sums.collection_key
            and pairs.pool_key = member_sums.pool_key
            and pairs.member_run_key = member_sums.run_key
            and treatments.unjudged = member_sums.unjudged
            and pool_measures.measure = member_sums.measure
    left join pair_losses
        on
            pairs.collection_key = pair_losses.collection_key
            and pairs.pool_key = pair_losses.pool_key
            and pairs.level = pair_losses.level
            and pairs.run_key = pair_losses.run_key
            and pairs.member_run_key = pair_losses.member_run_key
            and variants.has_substitution = pair_losses.has_substitution
            and treatments.unjudged = pair_losses.unjudged
            and pool_measures.measure = pair_losses.measure
    group by all

)

select * from adjustments
