{#-
    The standard error of a mean over runs, from one row per organization: the sum of the values of its runs, and their
    number. Runs of one organization resemble each other, so that organizations are what is sampled (Cochran, Sampling
    Techniques, third edition 1977, section 9A.1: clusters of unequal sizes). Null for a single organization. The
    squares are of differences: sums of squares would leave noise of 1e-17, and its root of 1e-9 would decide between
    equal errors.
-#}
{% macro standard_error_over_organizations(total, n_runs) -%}
    case
        when count(*) > 1
            then
                sqrt(
                    list_sum(list_transform(
                        list({'total': {{ total }}, 'n_runs': {{ n_runs }}}),
                        lambda each : pow(each.total - sum({{ total }}) / sum({{ n_runs }}) * each.n_runs, 2)
                    )) * count(*) / (count(*) - 1)
                ) / sum({{ n_runs }})
    end
{%- endmacro %}
