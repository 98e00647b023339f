{#-
    Whether a judged document of a candidate's ranking counts for its true score (Lipani et al. 2015, section 5).
    The paper's ground truth is the whole pool, "also containing documents exclusively contributed by the removed
    runs or organizations". The published tool drops the documents that only the other runs of the candidate's
    organization contributed. Down to the pool depth both are equal, because all documents that a run returns there
    are its own contributions (docs/decisions/truth.md).
-#}
{% macro is_true_judgement(level, rankings, rule=none) -%}
    {%- set rule = rule or var('truth_beyond_depth') -%}
    {%- if rule == 'paper' -%}
        true
    {%- elif rule == 'tool' -%}
        (
            {{ rankings }}.is_own_contribution
            or {{ stays_judged(contributor_at(level, rankings, prefix='sole_'), contributor_at(level, rankings)) }}
        )
    {%- else -%}
        {{ exceptions.raise_compiler_error('truth_beyond_depth is neither paper nor tool') }}
    {%- endif -%}
{%- endmacro %}

{#- Whether the true score counts documents that only the other runs of the candidate's organization contributed. -#}
{% macro counts_what_siblings_brought() -%}
    {{ var('truth_beyond_depth') == 'paper' }}
{%- endmacro %}
