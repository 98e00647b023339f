{#-
    The depth of a pool, where nobody declared it: the rank after which the share of documents that the qrels hold
    drops, over the runs that look pooled (docs/decisions/depth_inference.md).
-#}

{#- The qrels lack a tenth at most of what was pooled. Whole numbers, so that no float decides. -#}
{% macro is_judged_enough(n_in_qrels, n_documents) -%}
    10 * {{ n_in_qrels }} >= 9 * {{ n_documents }}
{%- endmacro %}

{#-
    The smallest drop that counts: of ten lists, one falls at this rank. Where qrels were not pooled to a depth, their
    share declines from the first ranks on, by less.
-#}
{% macro is_drop_enough(n_falls, n_rises, n_pairs) -%}
    10 * ({{ n_falls }} - {{ n_rises }}) >= {{ n_pairs }}
{%- endmacro %}

{#-
    Twice the logarithm of how much better a drop explains the lists of which the qrels hold one of two documents
    than chance does, by which they would hold the upper one in half of them (McNemar 1947, as a likelihood
    ratio). 0 where they hold it in fewer.
-#}
{% macro drop_likelihood_ratio(n_falls, n_rises) -%}
    {%- set half = '((' ~ n_falls ~ ' + ' ~ n_rises ~ ') / 2)' -%}
    case
        when {{ n_falls }} > {{ n_rises }}
            then
                2 * (
                    {{ n_falls }} * ln({{ n_falls }} / {{ half }})
                    + case when {{ n_rises }} > 0 then {{ n_rises }} * ln({{ n_rises }} / {{ half }}) else 0 end
                )
        else 0
    end
{%- endmacro %}

{#-
    Documents down to the pool depth that the qrels may lack in each topic of a run that was pooled all the same:
    one in so many ranks, for mistakes; or as many as chance brings where the qrels lack a share of
    everything: a binomial number, its mean and four standard deviations.
-#}
{% macro tolerated_gaps(pool_depth, missing_share) -%}
    cast(
        greatest(
            floor({{ pool_depth }} / {{ var('ranks_per_tolerated_gap') }}),
            ceil(
                {{ comparable(
                    pool_depth ~ ' * ' ~ missing_share
                    ~ ' + 4 * sqrt(' ~ pool_depth ~ ' * ' ~ missing_share ~ ' * (1 - ' ~ missing_share ~ '))'
                ) }}
            )
        ) as integer
    )
{%- endmacro %}
