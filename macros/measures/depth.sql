{#- Whether the requested measure can have a cutoff. -#}
{% macro may_have_cutoff(measure) -%}
    {{ asked_name(measure) }} in (
        {%- for signature in measure_signatures().values() if signature.cutoff in ('allowed', 'needed') -%}
            '{{ signature.name }}'{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}

{#-
    The rank down to which the requested measure looks. Without a cutoff, or at a recall level, it looks at all
    ranks.
-#}
{% macro asked_depth(measure) -%}
    case
        when {{ may_have_cutoff(measure) }} then {{ asked_cutoff(measure) }}
        else 2147483647
    end
{%- endmacro %}

{#-
    Whether unjudged documents could change the score by the requested measure, from the columns of the seed
    `measures`. Measures of the assessment say how much is judged, and counts are not means.
-#}
{% macro has_bounds(measures) -%}
    {{ measures }}.family not in ('assessment', 'count') and {{ measures }}.name <> 'RBPResidual'
{%- endmacro %}
