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

{#-
    The views of a candidate: with the whole pool, which is the truth, and without the documents that leave with the
    candidate, where unjudged documents are not relevant or are condensed. A view has columns of int_candidate_views.
-#}
{% macro views_of_candidates() %}
    {{ return([
        {'name': 'true', 'judged_by': 'truth', 'unjudged': 'nonrelevant'},
        {'name': 'pool', 'judged_by': 'pool', 'unjudged': 'nonrelevant'},
        {'name': 'condensed', 'judged_by': 'pool', 'unjudged': 'condensed'},
    ]) }}
{% endmacro %}
