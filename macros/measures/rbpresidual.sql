{#-
    Residual of rank-biased precision (Moffat & Zobel 2008, 3.4): the weight of the ranks whose
    document is unjudged or missing, down to k. RBP is at least the score, and at most the score plus
    this. Without a cutoff the ranks below the last document count as well.

    Were the n judged documents the first n, the weight from rank n + 1 on would be left; each that is
    further down leaves the more. A difference of powers is never below 0, and is 0 where nothing is
    left; the whole weight less that of the judged documents would be -3e-16. Where these are far down,
    what is left is the whole weight, but for the last digits.
-#}
{% macro measure_rbpresidual(m) -%}
    {%- set p = m.parameters.p -%}
    {%- set total = '1 - pow(' ~ p ~ ', ' ~ m.cutoff ~ ')' if m.cutoff else '1' -%}
    {%- set judged = '(where ' ~ m.is_relevant ~ ' is not null and ' ~ m.within ~ ')' -%}
    least(
        coalesce(sum((1 - {{ p }}) * (pow({{ p }}, nth_judged - 1) - pow({{ p }}, rank - 1))) filter {{ judged }}, 0)
        + pow({{ p }}, count(*) filter {{ judged }}){{ ' - pow(' ~ p ~ ', ' ~ m.cutoff ~ ')' if m.cutoff }},
        {{ total }}
    )
{%- endmacro %}

{% macro signature_of_rbpresidual() %}
    {{ return({'name': 'RBPResidual', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {'p': 0.8}, 'ties': 'unjudged'}) }}
{% endmacro %}
