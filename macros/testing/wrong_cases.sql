{#-
    The rows of `compared` (case_name, actual, expected) that are wrong, as text, and one more row where the number
    of cases is not n_cases, because a comparison without rows is no test. Nulls are equal only to each other. With
    a tolerance, numbers are equal when they differ by no more than the tolerance.
-#}
{% macro wrong_cases(compared, n_cases, tolerance=none) -%}
select
    case_name,
    cast(actual as varchar) as actual,
    cast(expected as varchar) as expected
from {{ compared }}
where
    actual is distinct from expected
    {%- if tolerance is not none %}
    and (abs(actual - expected) <= {{ tolerance }}) is distinct from true
    {%- endif %}
union all
select
    'number of cases' as case_name,
    cast(count(*) as varchar) as actual,
    '{{ n_cases }}' as expected
from {{ compared }}
having count(*) <> {{ n_cases }}
{%- endmacro %}
