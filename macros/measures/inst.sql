{#-
    INST (Bailey, Moffat, Scholer and Thomas 2015), as in cwl_eval: INSQ, where what the reader has found is taken from
    what the reader wants. After rank i and a gain of G, the reader goes on with probability
    ((i + 2T - G - 1) / (i + 2T - G))^2. Between two documents with a gain, the product of these ratios is the ratio
    of the weights of INSQ.
-#}
{% macro measure_inst(m) -%}
    {%- set wanted = '(document.rank - 1 + 2 * cast(' ~ m.parameters.T ~ ' as double) - above.gain)' -%}
    {{ gain_of_stopping_reader(
        m, insq_weight(m, '{gain}'), 'pow((' ~ wanted ~ ' - document.gain) / ' ~ wanted ~ ', 2)'
    ) }}
{%- endmacro %}

{% macro signature_of_inst() %}
    {{ return({
        'name': 'INST',
        'rows': 'gains',
        'cutoff': 'none',
        'parameters': {'T': 1, 'min_rel': 0, 'max_rel': none},
        'ties': 'unknown',
    }) }}
{% endmacro %}
