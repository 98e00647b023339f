{#-
    Kendall's tau-b from its sums over ordered pairs: concordant minus discordant pairs, over the geometric mean of
    the pairs that are not tied in either ranking. Null where all pairs are tied.
-#}
{% macro kendall_tau_b(concordance, n_untied_one, n_untied_other) -%}
    {{ concordance }} / nullif(sqrt({{ n_untied_one }} * {{ n_untied_other }}), 0)
{%- endmacro %}
