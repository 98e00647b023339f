{#-
    The measure that says how much unjudged and missing documents could add to the requested one, where its score is
    a sum of weights; null for all others. The bounds of a score follow from it, like the bounds of a new run
    (docs/decisions/new_runs.md): the score is the lower bound, and the score plus this measure is the upper bound.
-#}
{% macro residual_of(measure) -%}
    case {{ asked_name(measure) }}
        when 'P' then 'UnjudgedRate@' || regexp_extract({{ measure }}, '@([0-9]+)$', 1)
        when 'RBP'
            then 'RBPResidual(p=' || coalesce(
                nullif(regexp_extract({{ measure }}, '[(,]p=([0-9.]+)', 1), ''),
                '{{ measure_signatures()["RBP"].parameters.p }}'
            ) || ')' || regexp_extract({{ measure }}, '@[0-9]+$')
    end
{%- endmacro %}

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
