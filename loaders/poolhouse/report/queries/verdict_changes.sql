-- One row per rule of the verdict that the last change of the figures or of the verdict is about.
select
    changes.collection_id,
    changes.rule_id,
    changes.figure_before,
    changes.figure,
    changes.outcome_before,
    changes.outcome,
    changes.previously_built_at,
    changes.built_at,
    changes.verdict_before,
    changes.verdict,
    changes.n_judged_topics_before,
    changes.n_judged_topics
from audits.audit_verdict_changes as changes
left join audit_verdicts as verdicts
    on
        changes.collection_id = verdicts.collection_id
        and changes.rule_id = verdicts.rule_id
where list_contains($collections, changes.collection_id)
qualify changes.built_at = max(changes.built_at) over (partition by changes.collection_id)
order by
    verdicts.position,
    changes.rule_id
