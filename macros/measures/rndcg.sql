{#-
    nDCG averaged over the ranks at which the gain of the ideal ranking changes (Rndcg of trec_eval), and the end of the
    ranking where it is more than one rank below the last of them; 0 where no document is relevant.

    A document adds its discounted gain to the DCG at all ends of levels below it. `level_weight` is the sum of
    1 / (ideal DCG) over these ends.
-#}
{% macro measure_rndcg(m) -%}
    {%- set has_tail = 'cast(' ~ n_retrieved() ~ ' > any_value(n_gainful) + 1 as integer)' -%}
    {%- set gain = discounted_gain('rank', 'gain') -%}
    case
        when {{ m.n_relevant }} > 0
            then {{ over_total(
                '(coalesce(sum(' ~ gain ~ ' * level_weight) filter (where rank <= n_gainful), 0) + '
                    ~ has_tail ~ ' * ' ~ over_total('sum(' ~ gain ~ ')', m.ideal_dcg) ~ ')',
                '(any_value(n_levels) + ' ~ has_tail ~ ')'
            ) }}
        else 0
    end
{%- endmacro %}

{% macro signature_of_rndcg() %}
    {{ return({
        'name': 'RnDCG',
        'rows': 'ideal',
        'cutoff': 'none',
        'parameters': {'rel': none, 'gains': none},
        'ties': 'unknown',
    }) }}
{% endmacro %}
