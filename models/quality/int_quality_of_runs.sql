with

{{ imports(
    audited_runs='audit_runs where ' ~ is_named_at_hand(),
    collections='dim_collections where ' ~ is_named_at_hand()
) }},

-- one row per run. Where it was declared as pooled, is_covered says whether the qrels hold its documents down to the
-- pool depth. Runs that are inferred are pooled because they do.
runs as (

    select
        audited_runs.*,
        case when collections.is_judged then audited_runs.mismatch is null end as meets_qrels,
        case
            when audited_runs.is_pooled and collections.pooled_runs_source = 'declared'
                then audited_runs.n_gaps <= audited_runs.n_tolerated_gaps
        end as is_covered
    from audited_runs
    inner join collections using (collection_id)

),

-- one row per collection and figure, and for the value of a run
figures as (

    select
        collection_id,
        {{ figures(
            values_of('topic_share', object='run_id', naming=['run_id']),
            values_of('document_share', object='run_id', naming=['run_id']),
            values_of(
                'constant_score_share', object='run_id', naming=['run_id', 'ap_loss_by_ties', 'ap_gain_by_ties']
            ),
            values_of('contradicted_share', object='run_id', naming=['run_id']),
            values_of('own_topic_share', object='run_id', naming=['run_id']),
            counted('runs_meet_the_qrels', 'meets_qrels', naming=['run_id', 'mismatch']),
            counted('runs_differ', 'same_as_run_id is null', naming=['run_id', 'same_as_run_id']),
            counted(
                'declared_runs_are_in_qrels_to_the_depth', 'is_covered',
                naming=['run_id', 'n_gaps', 'n_tolerated_gaps']
            )
        ) }}
    from runs
    group by collection_id

)

select * from figures
