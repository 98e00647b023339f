{#-
    The standard error of a mean over runs, from one row per organization: the sum of the values of its runs, and their
    number. Runs of one organization resemble each other, so that organizations are what is sampled (Cochran, Sampling
    Techniques, third edition 1977, section 9A.1: clusters of unequal sizes). Null for a single organization.
-#}
{% macro standard_error_over_organizations(total, n_runs) -%}
    case
        when count(*) > 1
            then
                sqrt(
                    greatest(
                        sum(pow({{ total }}, 2))
                        - 2 * sum({{ total }}) / sum({{ n_runs }}) * sum({{ total }} * {{ n_runs }})
                        + pow(sum({{ total }}) / sum({{ n_runs }}), 2) * sum(pow({{ n_runs }}, 2)),
                        0
                    ) * count(*) / (count(*) - 1)
                ) / sum({{ n_runs }})
    end
{%- endmacro %}
