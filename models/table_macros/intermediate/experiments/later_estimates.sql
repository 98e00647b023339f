{{ config(arguments=['collection', 'scores_table', 'given']) }}
-- What was said of every run before the later judgements, beside what these leave possible (a table of later_scores).
-- `given` has estimates by anybody: estimator, run_id, measure, estimate, ci_95_low and ci_95_high.

with

{{ imports('int_runs', 'int_pooled_states', 'adjusted_leaderboard') }},

scores as (

    select
        later_scores.*,
        runs.run_id,
        pooled_states.is_pooled
    from query_table(scores_table) as later_scores
    inner join runs using (run_key)
    inner join pooled_states using (run_key)

),

-- one row per measure: what a run of the pool loses on average when its organization leaves
losses as (

    select
        scores.measure,
        avg(scores.unadjusted - left_out.score_all_topics) as mean_loss
    from scores
    inner join {{ ref('int_left_out_run_scores') }} as left_out using (collection_key, run_key, measure)
    where
        left_out.judgement_set = 'without_organization'
        and left_out.unjudged = 'nonrelevant'
        and scores.is_pooled
    group by scores.measure

),

-- one row per run and measure: the score if the run is pooled, and if all its documents are judged
expected as (

    select
        run_id,
        measure,
        if_pooled,
        if_pooled_95_low,
        if_pooled_95_high,
        if_judged_95_low,
        if_judged_95_high,
        if_judged
    from adjusted_leaderboard
    where collection_id = collection
    {% for measure in later_measures_without_sums() %}
        union all
        -- means over the topics that the run answers; a pooled run has its own score
        select
            expected_scores.run_id,
            expected_scores.measure,
            case expected_scores.advice_if_pooled
                when 'pooled' then scores.unadjusted
                when 'cannot be told' then null
                else expected_scores.if_pooled * expected_scores.n_topics / scores.n_topics
            end as if_pooled,
            {% for end in ['low', 'high'] %}
                case
                    when expected_scores.advice_if_pooled = 'estimated'
                        then expected_scores.if_pooled_95_{{ end }} * expected_scores.n_topics / scores.n_topics
                end as if_pooled_95_{{ end }},
            {% endfor %}
            {% for end in ['low', 'high'] %}
                case
                    when expected_scores.advice = 'estimated'
                        then expected_scores.if_judged_95_{{ end }} * expected_scores.n_topics / scores.n_topics
                end as if_judged_95_{{ end }},
            {% endfor %}
            case
                when expected_scores.advice <> 'cannot be told'
                    then expected_scores.if_judged * expected_scores.n_topics / scores.n_topics
            end as if_judged
        from {{ ref('int_asked_expected_scores') }}(collection, '{{ measure }}', is_required := true) as expected_scores
        inner join scores using (run_id, measure)
    {% endfor %}

),

-- one row per run, measure and estimator that has an estimate
stated as (

    {% for estimator, estimate in [
        ('unadjusted', 'scores.unadjusted'),
        ('condensed', 'scores.condensed'),
        (
            'webber_park',
            'case when losses.measure is not null '
            'then least(scores.unadjusted + losses.mean_loss, scores.highest_before) end'
        ),
    ] %}
        select
            scores.run_id,
            scores.measure,
            '{{ estimator }}' as estimator,
            {{ estimate }} as estimate,
            cast(null as double) as ci_95_low,
            cast(null as double) as ci_95_high
        from scores
        left join losses using (measure)
        union all
    {% endfor %}
    {% for target in ['if_pooled', 'if_judged'] %}
        select
            run_id,
            measure,
            '{{ target }}' as estimator,
            {{ target }} as estimate,
            {{ target }}_95_low as ci_95_low,
            {{ target }}_95_high as ci_95_high
        from expected
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

{{ beside_truth() }}

select * from compared
