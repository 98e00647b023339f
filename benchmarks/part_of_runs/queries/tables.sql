-- The tables of a collection that every draw reads.
create or replace temp table pooled as
select
    pooled_runs.run_key,
    pooled_runs.organization_key,
    collections.collection_key
from intermediate.int_pooled_runs as pooled_runs
inner join intermediate.int_collections as collections using (collection_key)
where collections.collection_id = getvariable('collection');

-- one row per pooled run and document that it contributed; is_relevant is null where it is not judged
create or replace temp table contributed as
select
    contributions.topic_key,
    contributions.doc_key,
    pooled.run_key,
    pooled.organization_key,
    judgements.is_relevant
from intermediate.int_contributions as contributions
inner join pooled using (collection_key, run_key)
left join intermediate.int_judgements as judgements
    on
        contributions.collection_key = judgements.collection_key
        and contributions.topic_key = judgements.topic_key
        and contributions.doc_key = judgements.doc_key
        and judgements.is_judged;

-- the judged documents of their rankings that count by AP or at the first ten ranks
create or replace temp table ranked as
select
    rankings.topic_key,
    rankings.doc_key,
    rankings.run_key,
    pooled.organization_key,
    rankings.rank,
    rankings.is_relevant
from intermediate.int_judged_rankings as rankings
inner join pooled using (collection_key, run_key)
where
    rankings.is_relevant is not null
    and (rankings.is_relevant or rankings.rank <= 10);

-- one row per pooled run and judged topic that it answers
create or replace temp table lists as
select
    pooled.run_key,
    pooled.organization_key,
    run_topics.topic_key,
    least(run_topics.n_retrieved, 10) as n_documents,
    judged_topics.n_judged,
    judged_topics.n_relevant
from intermediate.int_run_topics as run_topics
inner join pooled using (collection_key, run_key)
inner join intermediate.int_judged_topics as judged_topics using (collection_key, topic_key);

-- one row per pooled run without its organization, by the whole pool; no row before this is known
create or replace temp table whole (run_key integer, n_unjudged bigint, ap_left_out double);

-- one row per pooled run: AP with all judgements
create or replace temp table average_precisions as
select
    lists.run_key,
    round(avg(coalesce(summed.precisions, 0) / nullif(lists.n_relevant, 0)), 9) as ap
from lists
left join (
    select run_key, topic_key, sum(nth / rank) as precisions
    from (
        select *, row_number() over (partition by run_key, topic_key order by rank) as nth
        from ranked
        where is_relevant
    )
    group by all
) as summed using (run_key, topic_key)
group by lists.run_key;

set variable n_judged = (
    select cast(sum(n_judged) as bigint)
    from intermediate.int_judged_topics
    inner join intermediate.int_collections using (collection_key)
    where collection_id = getvariable('collection')
)
