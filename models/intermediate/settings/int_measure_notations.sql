-- one row per measure that Poolhouse computes: how it is written, for people and as a regular expression
select *
from (
    values
    {% for signature in measure_signatures().values() %}
        ('{{ signature.name }}', '{{ measure_usage(signature) }}', '{{ measure_pattern(signature) }}')
        {{- ',' if not loop.last }}
    {% endfor %}
) as notations (name, usage, pattern)
