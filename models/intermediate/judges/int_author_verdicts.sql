{%- set tau = "printf('%.3f (%.3f to %.3f)', {0}, {0}_low, {0}_high)" -%}
with

{{ imports('int_author_figures', rules='author_rules') }},

-- one row per author and rule: the figure, and what else the finding names
figures as (

    select
        collection_key,
        author_key,
        unnest([
            'one_grade', 'constant_topics', 'copy', 'coverage', 'chance', 'ceiling', 'order', 'order_ceiling',
            'order_of_best', 'opposed', 'only_by_author', 'only_by_reference', 'favours', 'own_model', 'holes'
        ]) as rule_id,
        unnest([
            100 * most_common_grade_share,
            100 * constant_topics_share,
            nearest_kappa,
            100 * share_of_reference,
            kappa_low,
            kappa_above_persons_high,
            kendall_tau,
            kendall_tau_judged_twice - kendall_tau_of_persons_with_reference,
            kendall_tau_of_best,
            100 * n_opposite_directions / nullif(n_same_direction + n_opposite_directions, 0),
            100 * (n_differ - n_same_direction - n_opposite_directions) / nullif(n_differ, 0),
            100 * (n_differ_by_reference - n_same_direction - n_opposite_directions) / nullif(n_differ_by_reference, 0),
            case when n_groups > 0 then n_favoured end,
            model_score_won_low,
            100 * rectified_mae / nullif(coalesce(expected_mae, unadjusted_mae), 0)
        ]) as figure,
        unnest([
            null,
            null,
            nearest_author,
            coalesce(printf(', on which the reference itself reaches a tau of %.3f', kendall_tau_of_reference), ''),
            printf('%.3f', kappa),
            printf(
                'kappa with the reference is %.3f, and that of persons %.3f', kappa_judged_twice,
                kappa_of_persons_with_reference
            ),
            {{ tau.format('kendall_tau') }},
            printf(
                'Kendall''s tau is %.3f, and that of persons with the reference %.3f', kendall_tau_judged_twice,
                kendall_tau_of_persons_with_reference
            ),
            {{ tau.format('kendall_tau_of_best') }},
            n_opposite_directions || ' of ' || (n_same_direction + n_opposite_directions),
            (n_differ - n_same_direction - n_opposite_directions) || ' of ' || n_differ,
            (n_differ_by_reference - n_same_direction - n_opposite_directions) || ' of ' || n_differ_by_reference,
            coalesce(favoured || printf(' (%+.4f)', favoured_score_won), 'no organization and no type of runs'),
            n_runs_of_model || ' runs',
            printf('%.4f, and without labels by %.4f', rectified_mae, coalesce(expected_mae, unadjusted_mae))
        ]) as name,
        kendall_tau_high
    from author_figures

),

-- the same rows with the outcome. An order whose interval reaches from below one threshold to above the other is not told.
judged as (

    select
        figures.collection_key,
        figures.author_key,
        rules.position,
        rules.rule_id,
        rules.asks_about,
        figures.figure,
        case
            when
                figures.rule_id = 'order'
                and figures.figure < rules.fails_at
                and figures.kendall_tau_high >= rules.passes_at
                then null
            else {{ outcome_of('figures.figure', 'rules') }}
        end as outcome,
        case
            when figures.figure is not null
                then
                    replace(
                        replace(rules.finding, '{}', {{ number_in_words('figures.figure') }}), '{name}',
                        coalesce(figures.name, {{ number_in_words('figures.figure') }})
                    )
            else rules.not_told
        end as finding,
        rules.is_better,
        rules.passes_at,
        rules.fails_at
    from figures
    inner join rules using (rule_id)

),

-- the same rows with the threshold in words
outcomes as (

    select
        collection_key,
        author_key,
        position,
        rule_id,
        asks_about,
        outcome,
        case
            when outcome is null and figure is not null then finding || ', and this interval is too wide to tell'
            when outcome in ('fails', 'passes with care') and passes_at <> 0
                then finding || ' (' || {{ demand_in_words('judged', 'outcome') }} || ')'
            else finding
        end as finding
    from judged

)

select * from outcomes
