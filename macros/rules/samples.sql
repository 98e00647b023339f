{#-
    The weight of a rank in a ranking: the share that AP gives it before anything is judged, (1 + 1/r + ... + 1/Z) / 2Z
    for rank r of Z. The weights of a ranking add up to 1 (Aslam, Pavlu & Yilmaz 2006; Aslam & Pavlu 2007).
    The window `from_rank_on` has the documents from the rank on, and `ranking` has all.
-#}
{% macro prior_weight(rank) -%}
    (1 + sum({{ exact_weight('1 / ' ~ rank) }}) over from_rank_on) / (2 * count(*) over ranking)
{%- endmacro %}

{#-
    A weight that may be added up in any order: sums of floats in another order differ in their last digits, and would
    change which of two equal documents comes first.
-#}
{% macro exact_weight(weight) -%}
    cast({{ weight }} as decimal(18, 15))
{%- endmacro %}

{#- The cutoff of P that a sample estimates. -#}
{% macro sampled_cutoff() -%}
    10
{%- endmacro %}

{#- The strategy of a sample of the labels of an author, before the name of the author (`pool make --validate`). -#}
{% macro validation_of() -%}
    validation_of_
{%- endmacro %}
