-- One row per drawn run: its first ten documents and its AP without its organization, by the drawn runs and by all
-- pooled runs.
with

drawn as (

    select unnest($runs) as run_key

),

-- the judged documents that one organization alone contributed
lost as (

    select
        topic_key,
        doc_key,
        min(organization_key) as organization_key,
        is_relevant
    from contributed
    semi join drawn using (run_key)
    where is_relevant is not null
    group by all
    having min(organization_key) = max(organization_key)

),

lost_relevant as (

    select
        topic_key,
        organization_key,
        count(*) as n_lost
    from lost
    where is_relevant
    group by all

),

-- the documents of the drawn runs that stay judged when their organization leaves
kept as (

    select
        ranked.*,
        count(*) filter (where ranked.is_relevant)
            over (partition by ranked.run_key, ranked.topic_key order by ranked.rank) as nth
    from ranked
    semi join drawn using (run_key)
    anti join lost using (topic_key, doc_key, organization_key)

),

summed as (

    select
        run_key,
        topic_key,
        sum(nth / rank) filter (where is_relevant) as precisions,
        count(*) filter (where rank <= 10) as n_judged
    from kept
    group by all

)

select
    lists.run_key,
    lists.organization_key,
    cast(sum(lists.n_documents) as bigint) as n_documents,
    cast(sum(lists.n_documents - coalesce(summed.n_judged, 0)) as bigint) as n_unjudged,
    any_value(average_precisions.ap) as ap,
    round(
        avg(coalesce(summed.precisions / nullif(lists.n_relevant - coalesce(lost_relevant.n_lost, 0), 0), 0)), 9
    ) as ap_left_out,
    any_value(whole.n_unjudged) as n_unjudged_whole,
    any_value(whole.ap_left_out) as ap_left_out_whole
from lists
semi join drawn using (run_key)
inner join average_precisions using (run_key)
left join whole using (run_key)
left join summed using (run_key, topic_key)
left join lost_relevant using (topic_key, organization_key)
group by all
order by all
