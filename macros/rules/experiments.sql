{#-
    The measures of the sampling experiments, one column each, named without a cutoff, to be selected from the rows
    of rankings. `depth`, a SQL expression, is the cutoff of all of them.
-#}
{% macro experiment_measure_columns(depth) -%}
    {%- for measure_name in var('experiment_measures') -%}
        {%- set measure = parse_measure(measure_name ~ '@1') -%}
        cast({{ aggregate(measure.name, depth, measure.parameters, none) }} as double) as "{{ measure_name }}"
        {{- ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#-
    A random number from 0 to 2^64 - 1, which is the same on every machine for the same seed and names, and
    different for others. Ordering by it draws without replacement.
-#}
{% macro lot(seed, names) -%}
    md5_number_lower(concat_ws('|', {{ seed }}, {{ names | join(', ') }}))
{%- endmacro %}

{#- A run counts in `experiment later` if at most this share of its weight is judged nowhere, unless --unknown says another. -#}
{% macro largest_unknown_weight() -%}
    0.05
{%- endmacro %}

{#-
    The measures that later judgements are scored by, beside those whose bias is estimated: their expected score is no sum
    over documents.
-#}
{% macro later_measures_without_sums() -%}
    {{ return(['nDCG@10', 'nDCG@20', 'AP']) }}
{%- endmacro %}

{#-
    What was said beside the truth, as the CTE `compared`: one row per run, measure and estimator, without an estimate
    where nothing was said. The CTE `scores` has the runs and measures, and `stated` our estimates by run_id, measure and
    estimator. The table `given` has those of anybody.
-#}
{% macro beside_truth() -%}
all_stated as (

    select * from stated
    union all by name
    select
        run_id,
        measure,
        estimator,
        estimate,
        ci_95_low,
        ci_95_high
    from query_table(given)

),

estimators as (

    select distinct estimator
    from all_stated

),

compared as (

    select
        scores.collection_key,
        scores.run_key,
        scores.is_pooled,
        scores.measure,
        estimators.estimator,
        all_stated.estimate,
        all_stated.ci_95_low,
        all_stated.ci_95_high,
        scores.truth_low,
        scores.truth_high,
        scores.unjudged_weight,
        scores.unknown_weight
    from scores
    cross join estimators
    left join all_stated
        on
            scores.run_id = all_stated.run_id
            and scores.measure = all_stated.measure
            and estimators.estimator = all_stated.estimator

)
{%- endmacro %}
