{#-
    Compatibility (Clarke, Vtyurina and Smucker 2021): rank-biased overlap of the ranking with the ideal ranking that
    is nearest to it, as in ir_measures. The ideal ranking has the documents with a gain by grade, and those of one
    grade as the ranking has them, with the documents that it lacks below. Both rankings have a document from a depth
    on, which is the larger one of its two ranks.
-#}
{% macro measure_compat(m) -%}
    {%- set p = 'cast(' ~ m.parameters.p ~ ' as double)' -%}
    {%- set depth = 'greatest(' ~ n_retrieved() ~ ', any_value(n_gainful))' -%}
    {%- set grades = 'list(grade order by grade desc, rank) filter (where grade > 0)' -%}
    {%- set weight = 'pow(' ~ p ~ ', {rank} - 1)' -%}
    {#- The documents of this grade that are missing are below; of higher grades, they are above. -#}
    {%- set ideal_rank = 'nth - list_position(' ~ grades ~ ', document.grade)'
        ~ ' + list_position(any_value(ideal_grades), document.grade)' -%}
    {{ over_total(
        'list_transform(
            [list_sort(
                list_transform(
                    list({\'grade\': grade, \'rank\': rank} order by grade desc, rank) filter (where grade > 0),
                    lambda document, nth : cast(greatest(document.rank, ' ~ ideal_rank ~ ') as bigint)
                )
            )],
            lambda depths : list_sum(
                list_transform(
                    depths,
                    lambda depth, n : n * ' ~ sum_over_ranks(
                        'depth', 'coalesce(depths[n + 1] - 1, ' ~ depth ~ ')', '(' ~ weight ~ ' / {rank})'
                    ) ~ '
                )
            )
        )[1]',
        'case when ' ~ m.parameters.normalize ~ ' then '
            ~ sum_over_ranks('1', depth, '(' ~ weight ~ ' * least({rank}, any_value(n_gainful)) / {rank})')
            ~ ' else ' ~ sum_over_ranks('1', depth, weight) ~ ' end'
    ) }}
{%- endmacro %}

{% macro signature_of_compat() %}
    {{ return({
        'name': 'Compat', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'p': 0.95, 'normalize': 'true'}
    }) }}
{% endmacro %}
