with

{{ imports(cells='int_layout_cells', pairs='int_layout_pairs', paired_tests='int_critical_values where n_runs = 2') }},

-- one row per layout and pair of runs that both answer a topic: their difference on the topics of both
paired as (

    select
        this.collection_key,
        this.layout_key,
        this.run_key,
        other.run_key as other_run_key,
        cast(count(*) as integer) as n_common_topics,
        avg(this.score - other.score) as mean_difference,
        stddev_samp(this.score - other.score) / sqrt(count(*)) as standard_error
    from cells as this
    inner join cells as other
        on
            this.collection_key = other.collection_key
            and this.layout_key = other.layout_key
            and this.topic_key = other.topic_key
            and this.run_key < other.run_key
    group by all

),

-- one row per layout and pair of its runs, each pair once, with the results of the tests
tested as (

    select
        pairs.collection_key,
        pairs.layout_key,
        pairs.run_key,
        pairs.other_run_key,
        coalesce(paired.n_common_topics, 0) as n_common_topics,
        pairs.is_different_by_tukey,
        {{ differs_by_bonferroni(
            'paired.mean_difference', 'paired.standard_error', 'paired_tests'
        ) }} as is_different_by_paired_t
    from pairs
    left join paired using (collection_key, layout_key, run_key, other_run_key)
    left join paired_tests
        on
            paired.collection_key = paired_tests.collection_key
            and paired.n_common_topics - 1 = paired_tests.error_degrees_of_freedom

),

-- each pair in both directions, so that it does not matter which run has the smaller key
differences as (

    select * from tested
    union all
    select * replace (other_run_key as run_key, run_key as other_run_key) from tested

)

select * from differences
