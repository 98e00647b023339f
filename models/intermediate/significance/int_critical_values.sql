with

{{ imports('critical_values', analyses='int_layout_analyses') }},

-- one row per collection, number of runs and degrees of freedom that an analysis has
of_analyses as (

    select distinct
        collection_key,
        n_runs,
        error_degrees_of_freedom
    from analyses

),

-- the same figures for two runs alone, whose degrees of freedom are one less than the number of topics that both
-- answer
of_pairs as (

    select
        collection_key,
        2 as n_runs,
        cast(unnest(range(1, max(n_topics))) as integer) as error_degrees_of_freedom
    from analyses
    group by collection_key

),

asked as (

    select * from of_analyses
    union
    select * from of_pairs

),

-- the numbers of groups in the seed, and the requested numbers
group_points as (

    select distinct n_groups from critical_values

),

asked_groups as (

    select distinct n_runs from asked

),

-- the six nearest points for each requested number
group_nodes as (

    select
        asked_groups.n_runs,
        group_points.n_groups,
        ln(asked_groups.n_runs) as wanted,
        ln(group_points.n_groups) as known
    from asked_groups
    cross join group_points
    qualify row_number() over (
        partition by asked_groups.n_runs
        order by abs(ln(asked_groups.n_runs) - ln(group_points.n_groups)), group_points.n_groups
    ) <= {{ n_nodes() }}

),

-- the same points for degrees of freedom
freedom_points as (

    select distinct per_degree_of_freedom from critical_values

),

asked_freedom as (

    select distinct error_degrees_of_freedom from asked

),

freedom_nodes as (

    select
        asked_freedom.error_degrees_of_freedom,
        freedom_points.per_degree_of_freedom,
        1 / asked_freedom.error_degrees_of_freedom as wanted,
        freedom_points.per_degree_of_freedom as known
    from asked_freedom
    cross join freedom_points
    qualify row_number() over (
        partition by asked_freedom.error_degrees_of_freedom
        order by
            abs(1 / asked_freedom.error_degrees_of_freedom - freedom_points.per_degree_of_freedom),
            freedom_points.per_degree_of_freedom
    ) <= {{ n_nodes() }}

),

-- the points with their weights in the polynomial through all six (Lagrange)
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
    group by all

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
    group by all

),

-- one row per collection, number of runs and degrees of freedom; logarithms are interpolated, because they are
-- smooth
interpolated as (

    select
        asked.collection_key,
        asked.n_runs,
        asked.error_degrees_of_freedom,
        {{ interpolated('critical_values.f') }} as critical_f,
        {{ interpolated('critical_values.bonferroni_t') }} as critical_bonferroni_t,
        {{ interpolated('critical_values.studentized_range') }} as critical_studentized_range
    from asked
    inner join group_weights using (n_runs)
    inner join freedom_weights using (error_degrees_of_freedom)
    inner join critical_values using (n_groups, per_degree_of_freedom)
    group by all

)

select * from interpolated
