{#-
    Measures of the C/W/L framework (Moffat, Bailey, Scholer and Thomas 2017), as cwl_eval has them: a reader goes down
    the ranking, and the score is the gain per document that the reader looks at. A measure says how likely the reader
    is to reach each rank.
-#}

{#-
    The gain of a document, times the width of the scale of grades (`scale_of_grades`), so that sums of gains are
    exact. A grade up to min_rel has no gain, and a grade above max_rel counts as max_rel.
-#}
{% macro gain_on_scale(m) -%}
    greatest(least(grade, {{ highest_on_scale(m) }}) - {{ m.parameters.min_rel }}, 0)
{%- endmacro %}

{#- The width of the scale of grades, from min_rel to max_rel. Where no grade is above min_rel, nothing has a gain. -#}
{% macro scale_of_grades(m) -%}
    greatest({{ highest_on_scale(m) }} - {{ m.parameters.min_rel }}, 1)
{%- endmacro %}

{#- Without max_rel, the highest grade of the qrels. -#}
{% macro highest_on_scale(m) -%}
    coalesce({{ m.parameters.max_rel or 'null' }}, highest_grade_of_collection)
{%- endmacro %}

{#- The gain of a document, from 0 to 1. -#}
{% macro scaled_gain(m) -%}
    {{ gain_on_scale(m) }} / {{ scale_of_grades(m) }}
{%- endmacro %}

{#- The last rank that the reader looks at: the cutoff, or rank 1000, where cwl_eval ends every ranking. -#}
{% macro last_rank_read(m) -%}
    {{ 'least(' ~ m.cutoff ~ ', 1000)' if m.cutoff else 1000 }}
{%- endmacro %}

{#-
    The gain per document of a reader who pays no attention to gains. `weight` is proportional to the probability that
    the reader reaches `{rank}`.
-#}
{% macro gain_of_steady_reader(m, weight) -%}
    coalesce(
        sum({{ scaled_gain(m) }} * {{ weight | replace('{rank}', 'rank') }})
            filter (where grade > 0 and rank <= {{ last_rank_read(m) }}),
        0
    ) / {{ sum_over_ranks('1', last_rank_read(m), weight) }}
{%- endmacro %}

{#-
    The gain per document of a reader who stops by what was found. The probability to reach `{rank}` is proportional
    to `weight`, in which `{gain}` is the gain above this rank, times the product of `goes_on` over the documents above
    it. `goes_on` is 1 for documents without a gain, so that only documents with a gain are visited. It reads
    `above.gain`, and `rank` and `gain` of `document`.
-#}
{% macro gain_of_stopping_reader(m, weight, goes_on) -%}
    {#- `reach` is the product so far, `gained` and `read` are sums over the ranks so far. -#}
    {%- set at_start = "'gained': cast(0 as double), 'read': cast(0 as double), 'reach': cast(1 as double)" -%}
    coalesce(
        list_transform(
            [list_reduce(
                list({
                    'rank': cast(rank as bigint), 'gain': cast({{ scaled_gain(m) }} as double), {{ at_start }}
                } order by rank) filter (where grade > 0 and rank <= {{ last_rank_read(m) }}),
                lambda above, document : {
                    'rank': document.rank,
                    'gain': above.gain + document.gain,
                    'gained': above.gained + document.gain * above.reach * {{
                        weight | replace('{rank}', 'document.rank') | replace('{gain}', 'above.gain') }},
                    'read': above.read + above.reach * {{
                        sum_over_ranks('above.rank + 1', 'document.rank', weight | replace('{gain}', 'above.gain')) }},
                    'reach': above.reach * {{ goes_on }}
                },
                {'rank': cast(0 as bigint), 'gain': cast(0 as double), {{ at_start }}}
            )],
            lambda found : found.gained / (
                found.read + found.reach * {{
                    sum_over_ranks('found.rank + 1', last_rank_read(m), weight | replace('{gain}', 'found.gain')) }}
            )
        )[1],
        0
    )
{%- endmacro %}

{#- The sum of an expression of `{rank}` from one rank to another; 0 where the second is above the first. -#}
{% macro sum_over_ranks(first, last, value) -%}
    coalesce(
        list_sum(
            list_transform(
                range({{ first }}, cast({{ last }} as bigint) + 1), lambda i : {{ value | replace('{rank}', 'i') }}
            )
        ),
        0
    )
{%- endmacro %}
