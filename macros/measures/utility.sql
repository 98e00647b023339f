{#-
    Utility of the set: p1 for each relevant document retrieved, p2 for each other document retrieved, p3 for each
    relevant document that is not retrieved, and p4 for each other document of the collection, which has n documents.
-#}
{% macro measure_utility(m) -%}
    {%- set found = measure_numrelret(m) -%}
    {{ m.parameters.p1 }} * {{ found }}
    + {{ m.parameters.p2 }} * ({{ n_retrieved() }} - {{ found }})
    + {{ m.parameters.p3 }} * ({{ m.n_relevant }} - {{ found }})
    + {{ m.parameters.p4 }} * ({{ m.parameters.n }} + {{ found }} - {{ n_retrieved() }} - {{ m.n_relevant }})
{%- endmacro %}

{% macro signature_of_utility() %}
    {{ return({
        'name': 'Utility',
        'rows': 'judged',
        'cutoff': 'none',
        'parameters': {'p1': 1, 'p2': -1, 'p3': 0, 'p4': 0, 'n': 0, 'rel': none},
    }) }}
{% endmacro %}
