{#-
    The measure that says how much unjudged and missing documents could add to the asked one, where its score is
    a sum of weights; null for all others. With it, the bounds of a score are those of a new run
    (docs/decisions/new_runs.md): at least what it is, at most that plus this.
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

{#- Whether the asked measure is one that can look down to a rank. -#}
{% macro may_have_cutoff(measure) -%}
    {{ asked_name(measure) }} in (
        {%- for signature in measure_signatures().values() if signature.cutoff in ('allowed', 'needed') -%}
            '{{ signature.name }}'{{ ', ' if not loop.last }}
        {%- endfor -%}
    )
{%- endmacro %}

{#- The rank down to which the asked measure looks; without a cutoff, or at a recall level, all of them. -#}
{% macro asked_depth(measure) -%}
    case
        when {{ may_have_cutoff(measure) }} then {{ asked_cutoff(measure) }}
        else 2147483647
    end
{%- endmacro %}
