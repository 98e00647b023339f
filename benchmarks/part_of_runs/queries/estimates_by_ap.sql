-- The same by AP: expected relevance alone estimates it.
select
    scores.collection_id,
    verdicts.figure as pool_explains,
    scores.run_id,
    scores.measure,
    scores.unpooled_score as score,
    'expected_relevance' as estimator,
    scores.if_pooled as estimate,
    scores.if_pooled_95_low as low,
    scores.if_pooled_95_high as high
from expected_scores($collection, 'AP') as scores
inner join audit_verdicts as verdicts using (collection_id)
where
    not scores.is_pooled
    and verdicts.rule_id = 'pool_explains'
order by all
