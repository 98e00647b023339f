{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

analyses as (

    select * from {{ ref('int_layout_analyses') }}
    where {{ is_at_hand() }}

),

critical_values as (

    select * from {{ ref('critical_values') }}

),

-- one row per collection, number of runs and degrees of freedom that an analysis has
asked as (

    select distinct
        collection_key,
        n_runs,
        error_degrees_of_freedom
    from analyses

),

-- the numbers of groups at which the seed has rows, six for each number of runs
group_nodes as (

    select distinct
        asked.n_runs,
        critical_values.n_groups,
        ln(asked.n_runs) as wanted,
        ln(critical_values.n_groups) as known,
        dense_rank() over (
            partition by asked.n_runs
            order by abs(ln(asked.n_runs) - ln(critical_values.n_groups)), critical_values.n_groups
        ) as nearness
    from asked
    cross join critical_values
    qualify nearness <= {{ n_nodes() }}

),

-- the degrees of freedom at which it has rows, six for each number that is asked for
freedom_nodes as (

    select distinct
        asked.error_degrees_of_freedom,
        critical_values.per_degree_of_freedom,
        1 / asked.error_degrees_of_freedom as wanted,
        critical_values.per_degree_of_freedom as known,
        dense_rank() over (
            partition by asked.error_degrees_of_freedom
            order by
                abs(1 / asked.error_degrees_of_freedom - critical_values.per_degree_of_freedom),
                critical_values.per_degree_of_freedom
        ) as nearness
    from asked
    cross join critical_values
    qualify nearness <= {{ n_nodes() }}

),

-- with the weight that each has in the polynomial through all six (Lagrange)
group_weights as (

    select
        node.n_runs,
        node.n_groups,
        {{ lagrange_weight('node', 'other') }} as weight
    from group_nodes as node
    inner join group_nodes as other
        on
            node.n_runs = other.n_runs
            and node.n_groups <> other.n_groups
    group by
        node.n_runs,
        node.n_groups

),

freedom_weights as (

    select
        node.error_degrees_of_freedom,
        node.per_degree_of_freedom,
        {{ lagrange_weight('node', 'other') }} as weight
    from freedom_nodes as node
    inner join freedom_nodes as other
        on
            node.error_degrees_of_freedom = other.error_degrees_of_freedom
            and node.per_degree_of_freedom <> other.per_degree_of_freedom
    group by
        node.error_degrees_of_freedom,
        node.per_degree_of_freedom

),

-- one row per collection, number of runs and degrees of freedom; the logarithms are what is smooth
interpolated as (

    select
        asked.collection_key,
        asked.n_runs,
        asked.error_degrees_of_freedom,
        {{ interpolated('critical_values.f') }} as critical_f,
        {{ interpolated('critical_values.bonferroni_t') }} as critical_bonferroni_t,
        {{ interpolated('critical_values.studentized_range') }} as critical_studentized_range
    from asked
    inner join group_weights on asked.n_runs = group_weights.n_runs
    inner join freedom_weights on asked.error_degrees_of_freedom = freedom_weights.error_degrees_of_freedom
    inner join critical_values
        on
            group_weights.n_groups = critical_values.n_groups
            and freedom_weights.per_degree_of_freedom = critical_values.per_degree_of_freedom
    group by
        asked.collection_key,
        asked.n_runs,
        asked.error_degrees_of_freedom

)

select * from interpolated
