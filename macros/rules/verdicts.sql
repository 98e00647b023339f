{#-
    The figures that a verdict on a collection reads (docs/verdicts.md): the first places of a ranking, at which
    people look, and two measures.
-#}
{% macro n_first_ranks() -%}
    10
{%- endmacro %}

{% macro verdict_measure() -%}
    'AP'
{%- endmacro %}

{% macro verdict_cutoff_measure() -%}
    'P@10'
{%- endmacro %}

{#-
    The least number of pairs of pooled runs, of different organizations and with different scores, whose order a rule
    can judge: as many as five runs have. The order is compared once for each run of a pair, so that a single change of
    places leaves a Kendall's tau of 1 - 2 / 20 = .9, with which the rule passes. Of fewer pairs, one change of places
    would decide.
-#}
{% macro least_pairs_of_an_order() -%}
    10
{%- endmacro %}

{#- The outcome of a rule of the seed for a figure; null where the figure is null. -#}
{% macro outcome_of(figure, rule) -%}
    case
        when {{ figure }} is null then null
        when {{ is_worse(figure, rule ~ '.fails_at', rule) }} then 'fails'
        when {{ is_worse(figure, rule ~ '.passes_at', rule) }} then 'passes with care'
        else 'passes'
    end
{%- endmacro %}

{#- Whether a figure is worse than a threshold; false where there is no threshold. -#}
{% macro is_worse(figure, threshold, rule) -%}
    coalesce(
        case {{ rule }}.is_better
            when 'higher' then {{ comparable(figure) }} < {{ threshold }}
            when 'lower' then {{ comparable(figure) }} > {{ threshold }}
        end,
        false
    )
{%- endmacro %}

{#- The verdict on a collection from the outcomes of its rules, one row per rule. -#}
{% macro verdict_of(outcome, is_essential) -%}
    case
        when bool_or({{ outcome }} = 'fails') then 'not reusable'
        when bool_or({{ outcome }} is null and {{ is_essential }}) then 'cannot be told'
        when bool_or({{ outcome }} = 'passes with care') then 'reusable with care'
        else 'reusable'
    end
{%- endmacro %}

{#- The outcome of the rules whose findings are the reasons of a verdict; null where they have no figure. -#}
{% macro outcome_behind(verdict) -%}
    case {{ verdict }}
        when 'not reusable' then 'fails'
        when 'reusable with care' then 'passes with care'
        when 'reusable' then 'passes'
    end
{%- endmacro %}

{#- A number for display: two decimals, three for numbers below 1, and no 0 at the end. -#}
{% macro number_in_words(figure) -%}
    regexp_replace(
        regexp_replace(printf(case when abs({{ figure }}) < 1 then '%.3f' else '%.2f' end, {{ figure }}), '\.?0+$', ''),
        '^-0$', '0'
    )
{%- endmacro %}

{#- The threshold of a rule, in words. -#}
{% macro demand_in_words(rule, outcome) -%}
    case {{ rule }}.is_better when 'higher' then 'at least ' else 'at most ' end
    || {{ number_in_words('case ' ~ outcome ~ " when 'fails' then " ~ rule ~ '.fails_at else ' ~ rule ~ '.passes_at end') }}
{%- endmacro %}

{#-
    What a reader should know before citing a score of a run, in words: one fact for each problem. The columns are
    those of audit_runs.
-#}
{% macro remarks_on_run() -%}
    coalesce(
        nullif(
            concat_ws(
                '; ',
                case
                    when n_judged_topics is null then 'nothing is judged, so no score means anything yet'
                    when mismatch is not null then mismatch
                    when n_topics = 0 then 'answers none of the ' || n_judged_topics || ' judged topics'
                    when n_topics < n_judged_topics
                        then 'answers ' || n_topics || ' of ' || n_judged_topics
                            || ' judged topics: score is the mean over these, score_all_topics counts the others as 0'
                end,
                case
                    when mismatch is not null then null
                    when not is_pooled and unjudged_percent > 0
                        then 'was not pooled: ' || {{ number_in_words('unjudged_percent') }}
                            || ' % of its first {{ n_first_ranks() }} documents are unjudged, and its scores are '
                            || 'too low where some of these are relevant'
                    when not is_pooled and n_topics > 0
                        then 'was not pooled; its first {{ n_first_ranks() }} documents are judged all the same'
                    when n_topics > 0 and unjudged_percent > 0 and is_pooled is null
                        then 'it is not known whether it was pooled: ' || {{ number_in_words('unjudged_percent') }}
                            || ' % of its first {{ n_first_ranks() }} documents are unjudged'
                end,
                case
                    when is_pooled and unjudged_left_out_percent > unjudged_percent
                        then 'without its organization in the pool, '
                            || {{ number_in_words('unjudged_left_out_percent') }}
                            || ' % of its first {{ n_first_ranks() }} documents would be unjudged'
                            || coalesce(
                                ' and its AP would change by ' || {{ number_in_words('-loss_in_percent') }} || ' %', ''
                            )
                end,
                case
                    when is_pooled and not looks_pooled
                        then 'is declared as pooled, but the qrels lack ' || n_gaps
                            || ' of its documents down to the pool depth on a topic'
                    when looks_pooled and not is_pooled
                        then 'counts as not pooled, but the qrels hold its documents down to the pool depth'
                end,
                case
                    when n_constant_topics > 0
                        then 'gives all documents of a topic the same score in ' || n_constant_topics
                            || ' topics: document ids decide their order'
                end,
                case
                    when n_contradicted_topics > 0
                        then 'its ranks in the file contradict its scores in ' || n_contradicted_topics || ' of '
                            || n_topics || ' topics: scores count'
                end,
                case
                    when n_own_topics > 0
                        then 'its first document has the id of the topic in ' || n_own_topics || ' of ' || n_topics
                            || ' topics'
                end,
                'has the same rankings as run ' || same_as_run_id,
                case
                    when n_repeated_documents > 0
                        then 'repeats documents on ' || n_repeated_documents || ' lines: each counts once'
                end,
                case
                    when document_share < 1
                        then 'returns ' || {{ number_in_words('median_documents') }} || ' documents for a topic, '
                            || {{ number_in_words('100 * document_share') }} || ' % of the typical run'
                end
            ),
            ''
        ),
        'nothing to note'
    )
{%- endmacro %}
