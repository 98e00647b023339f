{#-
    The figures that a verdict on a collection reads (docs/verdicts.md): the first places of a ranking, at which
    people look, and two measures.
-#}
{% macro n_first_ranks() -%}
    10
{%- endmacro %}

{% macro verdict_measure() -%}
    'AP'
{%- endmacro %}

{% macro verdict_cutoff_measure() -%}
    'P@10'
{%- endmacro %}

{#-
    The least number of pairs of pooled runs, of different organizations and with different scores, whose order a rule
    can judge: as many as five runs have. The order is compared once for each run of a pair, so that a single change of
    places leaves a Kendall's tau of 1 - 2 / 20 = .9, with which the rule passes. Of fewer pairs, one change of places
    would decide.
-#}
{% macro least_pairs_of_an_order() -%}
    10
{%- endmacro %}

{#- The outcome of a rule of the seed for a figure; null where the figure is null. -#}
{% macro outcome_of(figure, rule) -%}
    case
        when {{ figure }} is null then null
        when {{ is_worse(figure, rule ~ '.fails_at', rule) }} then 'fails'
        when {{ is_worse(figure, rule ~ '.passes_at', rule) }} then 'passes with care'
        else 'passes'
    end
{%- endmacro %}

{#- Whether a figure is worse than a threshold; false where there is no threshold. -#}
{% macro is_worse(figure, threshold, rule) -%}
    coalesce(
        case {{ rule }}.is_better
            when 'higher' then {{ comparable(figure) }} < {{ threshold }}
            when 'lower' then {{ comparable(figure) }} > {{ threshold }}
        end,
        false
    )
{%- endmacro %}

{#- The verdict on a collection from the outcomes of its rules, one row per rule. -#}
{% macro verdict_of(outcome, is_essential) -%}
    case
        when bool_or({{ outcome }} = 'fails') then 'not reusable'
        when bool_or({{ outcome }} is null and {{ is_essential }}) then 'cannot be told'
        when bool_or({{ outcome }} = 'passes with care') then 'reusable with care'
        else 'reusable'
    end
{%- endmacro %}

{#- The outcome of the rules whose findings are the reasons of a verdict; null where they have no figure. -#}
{% macro outcome_behind(verdict) -%}
    case {{ verdict }}
        when 'not reusable' then 'fails'
        when 'reusable with care' then 'passes with care'
        when 'reusable' then 'passes'
    end
{%- endmacro %}

{#- A number for display: two decimals, three for numbers below 1, and no 0 at the end. -#}
{% macro number_in_words(figure) -%}
    regexp_replace(
        regexp_replace(printf(case when abs({{ figure }}) < 1 then '%.3f' else '%.2f' end, {{ figure }}), '\.?0+$', ''),
        '^-0$', '0'
    )
{%- endmacro %}

{#- The threshold of a rule, in words. -#}
{% macro demand_in_words(rule, outcome) -%}
    case {{ rule }}.is_better when 'higher' then 'at least ' else 'at most ' end
    || {{ number_in_words('case ' ~ outcome ~ " when 'fails' then " ~ rule ~ '.fails_at else ' ~ rule ~ '.passes_at end') }}
{%- endmacro %}
