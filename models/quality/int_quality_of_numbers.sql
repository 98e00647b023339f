{#- Bounds of each kind of number. A score may rise without bound, but cannot lose more than itself. An estimate that is
    not clipped may be as far beyond its bounds as they are apart. -#}
{%- set lowest_number = '-' ~ highest_number() -%}
{%- set share, change, unclipped = (0, 1), (-1, 1), (-1, 2) -%}
{%- set ratio, number = (0, highest_number()), (lowest_number, highest_number()) -%}
{%- set loss_in_percent = (lowest_number, 100) -%}
{#- Numbers of marts that are divided, averaged or estimated: the key of a row within a collection, and the columns by
    their kind. Scores by all measures have figures of their own (int_quality_of_scores). -#}
{%- set marts = {
    'main.leaderboard': ['run_id', {
        share: 'unjudged_10',
    }],
    'main.topic_leaderboard': ['topic_id, run_id', {
        share: 'unjudged_10',
    }],
    'main.adjusted_leaderboard': ['measure, run_id', {
        share: 'score, lower_bound, upper_bound, expected_error, if_judged, if_judged_95_low, if_judged_95_high, '
            ~ 'if_pooled, if_pooled_95_low, if_pooled_95_high',
    }],
    'main.dim_recommended_estimators': ['measure', {
        share: 'mae, unadjusted_mae, mean_residual, largest_residual, largest_residual_if_judged',
    }],
    'main.fct_unique_contributions': ['organization', {
        share: 'share_of_own_relevant, share_of_relevant_of_collection',
    }],
    'main.fct_unique_relevant_losses': ['run_id, unjudged, measure', {
        loss_in_percent: 'loss_in_percent_of_full_score',
    }],
    'main.fct_bias_indicators': ['run_id, level, subset, cutoff', {
        share: 'precision, anti_precision, unjudged_rate',
        change: 'delta_precision, delta_anti_precision, delta_unjudged_rate',
    }],
    'main.fct_adjusted_scores': ['run_id, level, subset, measure, unjudged, estimator', {
        share: 'true_score, unpooled_score, lower_bound, upper_bound, clipped_score',
        change: 'adjustment',
    }],
    'main.fct_estimator_errors': ['level, subset, measure, unjudged, estimator', {
        share: 'mae, clipped_mae',
        change: 'kendall_tau, clipped_kendall_tau',
    }],
    'main.fct_topic_deltas': ['run_id, level, measure', {
        share: 'delta_variance, true_variance',
        change: 'mean_delta',
    }],
    'experiments.fct_experiment_estimates': ['experiment, population, width, sample, unjudged, measure, estimator', {
        share: 'true_score',
        unclipped: 'estimate',
    }],
    'experiments.fct_experiment_topic_errors': ['population, width, sample, unjudged, measure, n_common_topics, estimator', {
        share: 'mean_absolute_error, mean_squared_error',
    }],
    'experiments.fct_experiment_topic_estimates': ['population, width, sample, unjudged, measure, n_common_topics', {
        share: 'true_score, unadjusted_score, sampled_score, delta_variance, true_variance',
        change: 'adjustment',
    }],
    'main.audit_runs': ['run_id', {
        share: 'topic_share, constant_score_share, ap_loss_by_ties, ap_gain_by_ties, in_qrels_share_within, '
            ~ 'in_qrels_share_beyond',
        ratio: 'document_share',
    }],
    'main.audit_collections': ['collection_id', {
        share: 'in_qrels_share_within, in_qrels_share_beyond, unretrieved_share, share_above, share_below, '
            ~ 'inferred_depth_confidence, share_judged_outside_pool, share_relevant_outside_pool',
        ratio: 'in_qrels_share_kept, depth_ratio',
    }],
    'main.audit_verdicts': ['rule_id', {
        number: 'figure',
    }],
    'audits.fct_generalizability': ['measure', {
        share: 'run_variance, topic_variance, residual_variance, generalizability, dependability',
    }],
    'audits.fct_word_titlestats': ['topic_id, word, document_set', {
        share: 'document_share, titlestat',
    }],
    'audits.audit_pool_depths': ['depth', {
        share: 'share_above, share_below, probability',
    }],
    'audits.audit_ranks_in_qrels': ['is_pooled, pooling_rank', {
        share: 'in_qrels_share',
    }],
} -%}
with

-- one row per collection, mart and column with a number: how many rows have one outside its bounds, and the first of these
numbers as (

    {% for mart, (key, columns) in marts.items() %}
        select
            collection_id,
            '{{ mart }}' as mart,
            unnest([
                {% for (lowest, highest), listed in columns.items() %}
                    {% set is_last_kind = loop.last %}
                    {% for column in listed.split(', ') %}
                        {%- set is_outside = 'not (' ~ is_within(lowest, column, highest) ~ ')' -%}
                        {%- set row = 'case when ' ~ is_outside ~ ' then struct_pack(' ~ key ~ ')::varchar end' -%}
                        {
                            'number': '{{ column }}',
                            'n_values': count({{ column }}),
                            'n_rows': count_if({{ is_outside }}),
                            'first_row': min({{ row }}),
                            'value': cast(arg_min(cast({{ column }} as double), {{ row }}) as varchar),
                            'lowest': {{ lowest }}::double,
                            'highest': {{ highest }}::double
                        }{{ ',' if not (loop.last and is_last_kind) }}
                    {% endfor %}
                {% endfor %}
            ], recursive := true)
        from {{ ref(mart.partition('.')[2]) }}
        where {{ is_named_at_hand() }}
        group by collection_id
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per collection
figures as (

    select
        collection_id,
        {{ figures(counted(
            'numbers_within_bounds', 'n_rows = 0',
            naming=['mart', 'number', 'n_rows', 'first_row', 'value', 'lowest', 'highest']
        )) }}
    from numbers
    where n_values > 0
    group by collection_id

)

select * from figures
