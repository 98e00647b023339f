{#- Unjudged documents that take the label of an author (docs/filling.md). -#}

{#- The names of the estimators, before the name of the author. -#}
{% macro filled_by() -%}
    filled_by_
{%- endmacro %}

{% macro rectified_by() -%}
    rectified_by_
{%- endmacro %}

{#- Whether an estimator reads the labels of an author, which it does not have for every document. -#}
{% macro is_by_labels(estimator) -%}
    (starts_with({{ estimator }}, '{{ filled_by() }}') or starts_with({{ estimator }}, '{{ rectified_by() }}'))
{%- endmacro %}

{#- The share of the unjudged documents of a run that an author must have labelled, for an estimate by the labels. -#}
{% macro least_labelled_share() -%}
    0.95
{%- endmacro %}

{#-
    Columns that estimate what labels miss for each unit of unjudged weight, from one row per other contributor: a ratio
    of sums, whose error varies in proportion to the weight (Royall 1970; Cochran, Sampling Techniques, third edition
    1977, section 6.7). `variation` is the variance of a run for each unit of weight, null for a single
    contributor: a run deviates as a whole, and a mean over runs less. The degrees of freedom are by Satterthwaite 1946,
    as a few contributors may have most of the variance.
-#}
{% macro missed_share_columns(contributors) -%}
    {%- set share = 'sum(' ~ contributors ~ '.missed_gain) / sum(' ~ contributors ~ '.unjudged_weight)' -%}
    {{ share }} as missed_share,
        sum({{ contributors }}.unjudged_weight) as unjudged_weight,
        list_transform(
            list({{ contributors }}),
            lambda each : greatest(
                each.squared_gain - 2 * ({{ share }}) * each.missed_gain + pow({{ share }}, 2) * each.unjudged_weight, 0
            )
        ) as variances,
        list_sum(variances) / nullif(count(*) - 1, 0) as variation,
        cast(
            least(
                count(*) - 1,
                floor({{ comparable(
                    'pow(list_sum(variances), 2)'
                    ~ ' / nullif(list_sum(list_transform(variances, lambda variance : pow(variance, 2))), 0)'
                ) }})
            ) as integer
        ) as degrees_of_freedom
{%- endmacro %}

{#-
    The standard error of a rectified score: how far the documents of the run themselves are from the share, and how
    far the share is from that of all contributors.
-#}
{% macro rectified_standard_error(unjudged_weight, missed) -%}
    sqrt(
            {{ missed }}.variation * {{ unjudged_weight }} * (1 + {{ unjudged_weight }} / {{ missed }}.unjudged_weight)
        )
{%- endmacro %}

{#- Whether a measure has an expected score. -#}
{% macro has_expected_score(measure='asked') -%}
    regexp_full_match({{ measure }}, '{{ pattern_of_expected_measures() }}')
{%- endmacro %}

{#- The error if it has none, as a case. -#}
{% macro no_expected_score() -%}
    when is_required and not {{ has_expected_score() }}
        then
            error(
                asked || ' has no expected score: P@k, RBP, AP, nDCG, RR, ERR, R@k and Bpref have one, at the '
                || 'relevance threshold of the collection and with the grade as gain'
            )
{%- endmacro %}
