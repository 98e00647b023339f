{#-
    Residual of rank-biased precision (Moffat & Zobel 2008, 3.4): the weight of the ranks down to k whose document
    is unjudged or missing. RBP is at least the score, and at most the score plus the residual. Without a cutoff,
    the ranks below the last document count too.

    If the n judged documents were the first n, the residual would be the weight from rank n + 1 on. Each judged
    document that is further down increases the residual. The formula adds differences of powers. Such a difference
    is never below 0, and is 0 where nothing is unjudged; the total weight minus the weight of the judged documents
    would be -3e-16. Where the judged documents are far down, the residual is the total weight, except for the last
    digits.
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
    {{ return({
        'name': 'RBPResidual',
        'rows': 'judged',
        'cutoff': 'allowed',
        'parameters': {'p': 0.8},
        'ties': 'unjudged',
    }) }}
{% endmacro %}
