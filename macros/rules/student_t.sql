{#-
    Two-sided p-value of Student's t: the regularized incomplete beta function I_x(df / 2, 1 / 2) at x = df / (df +
    t^2). It is the series with terms above 0. Where t^2 is small, it is 1 minus the series of the other end.
    Nothing cancels, so a p-value of 1e-80 has as many digits as one of 0.5.
-#}
{% macro t_p_value(t, degrees_of_freedom) -%}
    case
        when {{ t }} is null or {{ degrees_of_freedom }} < 1 then null
        when {{ t }} = 0 then 1.0
        when {{ t }} * {{ t }} < 3
            then 1 - {{ incomplete_beta('0.5', degrees_of_freedom ~ ' / 2', t, degrees_of_freedom) }}
        else {{ incomplete_beta(degrees_of_freedom ~ ' / 2', '0.5', t, degrees_of_freedom) }}
    end
{%- endmacro %}

{#-
    I_x(a, b), where one of a and b is 1 / 2 and belongs to the share of t^2. The terms that are not added up are
    less than 1e-16 of the sum, both for t^2 below 3 and above.
-#}
{% macro incomplete_beta(a, b, t, degrees_of_freedom) -%}
    {%- set of_t = '(' ~ t ~ ' * ' ~ t ~ ' / (' ~ degrees_of_freedom ~ ' + ' ~ t ~ ' * ' ~ t ~ '))' -%}
    {%- set of_freedom = '(' ~ degrees_of_freedom ~ ' / (' ~ degrees_of_freedom ~ ' + ' ~ t ~ ' * ' ~ t ~ '))' -%}
    {%- set x, rest = (of_t, of_freedom) if a == '0.5' else (of_freedom, of_t) -%}
    exp(
        lgamma({{ a }} + {{ b }}) - lgamma({{ a }}) - lgamma({{ b }})
        + ({{ a }}) * ln({{ x }}) + ({{ b }}) * ln({{ rest }})
    ) / ({{ a }})
    * (
        1 + list_sum(
            list_transform(
                range(100 + 15 * cast({{ degrees_of_freedom }} as bigint)),
                lambda n : exp(
                    lgamma({{ a }} + 1) - lgamma({{ a }} + {{ b }}) + lgamma({{ a }} + {{ b }} + n + 1)
                    - lgamma({{ a }} + n + 2) + (n + 1) * ln({{ x }})
                )
            )
        )
    )
{%- endmacro %}

{#- The quantiles of the intervals of 68 and 95 % by the normal distribution, as a CTE that reads the seed `quantiles`. -#}
{% macro normal_quantiles() -%}
normal_quantiles as (

    select
        max(quantile) filter (where confidence = 0.68) as quantile_68,
        max(quantile) filter (where confidence = 0.95) as quantile_95
    from quantiles
    where method = 'normal'

)
{%- endmacro %}

{#- The columns of intervals of 68 and 95 %, by whatever method. -#}
{% macro interval_ends() -%}
    {{ return(['ci_68_low', 'ci_68_high', 'ci_95_low', 'ci_95_high']) }}
{%- endmacro %}

{#- The quantiles of the intervals of 68 and 95 % by Student's t and degrees of freedom, as a CTE that reads the same. -#}
{% macro t_quantiles() -%}
t_quantiles as (

    select
        degrees_of_freedom,
        max(quantile) filter (where confidence = 0.68) as t_68,
        max(quantile) filter (where confidence = 0.95) as t_95
    from quantiles
    where method = 't'
    group by all

)
{%- endmacro %}

{#- The same columns of an estimate without an interval. -#}
{% macro no_interval() -%}
    {%- for name in interval_ends() -%}
        cast(null as double) as {{ name }}{{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- The bounds of these intervals around a score; beyond the last row of the seed, quantiles hardly change. -#}
{% macro t_interval_columns(score, standard_error, prefix='t') -%}
    {%- for percent in [68, 95] -%}
        {%- for end, sign in [('low', '-'), ('high', '+')] -%}
            {{ score }} {{ sign }} t_quantiles.t_{{ percent }} * {{ standard_error }} as {{ prefix }}_{{ percent }}_{{ end }}
            {{- ',\n        ' if not loop.last or percent == 68 }}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{% macro has_t_quantiles(degrees_of_freedom) -%}
    t_quantiles.degrees_of_freedom = least({{ degrees_of_freedom }}, {{ most_degrees_of_freedom() }})
{%- endmacro %}

{#- The last row of Student's t in the seed `quantiles`. -#}
{% macro most_degrees_of_freedom() -%}
    300
{%- endmacro %}
