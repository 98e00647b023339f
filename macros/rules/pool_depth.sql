{#-
    The depth of a pool that nobody declared: the rank after which the share of documents that the qrels contain
    drops, over the runs that look pooled (docs/decisions/depth_inference.md).
-#}

{#-
    Probability of the pool depth of a collection that is inferred; null where it is declared, and where there is none.
    Where runs have depths of their own, it is the median over the runs. The arguments are CTEs.
-#}
{% macro depth_confidence(pool_depths, inferred_depths) -%}
    case {{ pool_depths }}.pool_depth_source
        when 'inferred' then coalesce({{ pool_depths }}.own_depth_confidence, {{ inferred_depths }}.confidence)
    end
{%- endmacro %}

{#- The qrels lack at most a tenth of the pooled documents. Whole numbers are used, so that no float decides. -#}
{% macro is_judged_enough(n_in_qrels, n_documents) -%}
    10 * {{ n_in_qrels }} >= 9 * {{ n_documents }}
{%- endmacro %}

{#-
    The smallest drop that counts: one of ten lists falls at this rank. Where qrels were not pooled to a depth,
    their share declines from the first ranks on, and by less.
-#}
{% macro is_drop_enough(n_falls, n_rises, n_pairs) -%}
    10 * ({{ n_falls }} - {{ n_rises }}) >= {{ n_pairs }}
{%- endmacro %}

{#-
    Twice the logarithm of a likelihood ratio, over the lists of which the qrels contain exactly one of the two
    documents. It says how much better a drop explains these lists than chance, by which the qrels would contain the
    upper document in half of them (McNemar 1947, as a likelihood ratio). 0 where they contain the upper document in
    fewer.
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
    Number of documents down to the pool depth that the qrels may lack in each topic of a run that still counts as
    pooled. It is one in so many ranks, for mistakes, or the number that chance explains where the qrels lack a
    share of everything. That number is binomial, and its mean plus four standard deviations is used.
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
