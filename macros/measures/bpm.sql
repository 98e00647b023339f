{#-
    Bejeweled player model (Zhang et al. 2017, static), as in cwl_eval: a reader who stops at rank k, or at the first
    rank where the gain reaches T. The score is the gain per document.
-#}
{% macro measure_bpm(m) -%}
    {%- set scale = 'any_value(' ~ scale_of_grades(m) ~ ')' -%}
    {%- set wanted = '(' ~ m.parameters.T ~ ' * ' ~ scale ~ ')' -%}
    coalesce(
        list_transform(
            [list_reduce(
                list({'rank': rank, 'gain': cast({{ gain_on_scale(m) }} as double)} order by rank)
                    filter (where grade > 0 and rank <= {{ last_rank_read(m) }}),
                lambda above, document : case
                    when above.gain >= {{ wanted }} then above
                    else {'rank': document.rank, 'gain': above.gain + document.gain}
                end
            )],
            lambda last : last.gain / {{ scale }}
            / case when last.gain >= {{ wanted }} then last.rank else {{ last_rank_read(m) }} end
        )[1],
        0
    )
{%- endmacro %}

{% macro signature_of_bpm() %}
    {{ return({
        'name': 'BPM',
        'rows': 'gains',
        'cutoff': 'needed',
        'parameters': {'T': 1, 'min_rel': 0, 'max_rel': none},
        'ties': 'unknown',
    }) }}
{% endmacro %}
