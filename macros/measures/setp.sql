{#-
    Precision of the whole ranking: relevant documents retrieved, over all documents retrieved. Relative precision has
    the relevant documents of the topic as divisor where they are fewer, as set_relative_P of trec_eval.
-#}
{% macro measure_setp(m) -%}
    {%- set is_relative = m.parameters.get('relative', 'false') -%}
    {%- set fewest = 'least(' ~ n_retrieved() ~ ', ' ~ m.n_relevant ~ ')' -%}
    {{ over_total(
        measure_numrelret(m), 'case when ' ~ is_relative ~ ' then ' ~ fewest ~ ' else ' ~ n_retrieved() ~ ' end'
    ) }}
{%- endmacro %}

{% macro signature_of_setp() %}
    {{ return({
        'name': 'SetP',
        'rows': 'judged',
        'cutoff': 'none',
        'parameters': {'rel': none, 'relative': 'false', 'judged_only': 'false'},
    }) }}
{% endmacro %}
