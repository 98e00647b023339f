-- question: How much score is lost without unique documents?
-- about: papers
--
-- Section 1 of Buckley et al. 2006: a row per collection and group of pooled
-- runs that have a score, which are all of them or those of one type. A run
-- loses the relevant documents that its organization alone contributed. Columns
-- that end in _above_floor are over the runs above the floor of
-- fct_unique_relevant_losses; of several runs with the largest loss, the first
-- is named. The paper has AP, with unjudged documents as not relevant. The
-- published figures are of another collection than the loaded ones.
--
-- parameter: measure = 'AP'
-- parameter: unjudged = 'nonrelevant'
with

{{ imports('dim_collections', published='published_buckley_2006_unique_relevant') }},

losses as (

    select * from {{ ref('fct_unique_relevant_losses') }}
    where
        is_pooled
        and loss_in_percent_of_full_score is not null
        and measure = $measure
        and unjudged = $unjudged

),

groups as (

    select * from (values ('all'), ('run_type')) as listed (grouped_by)

),

-- the same rows, once among all runs and once among the runs of the same type
grouped as (

    select
        losses.* replace (case groups.grouped_by when 'run_type' then losses.run_type end as run_type),
        groups.grouped_by
    from losses
    cross join groups

),

-- one row per collection and group of runs
summaries as (

    select
        collection_id,
        unjudged,
        measure,
        grouped_by,
        run_type,
        {{ summary_of_losses('', 'true') }},
        {{ summary_of_losses('_above_floor', 'is_above_floor') }},
        cast(count(*) filter (where is_flagged) as integer) as n_flagged_runs
    from grouped
    group by all

),

-- the same rows, that of all runs beside the collection of the paper
compared as (

    select
        summaries.*,
        collections.n_pooled_runs,
        collections.pool_depth,
        collections.n_topics,
        published.track as published_track,
        published.n_pooled_runs as published_n_pooled_runs,
        published.pool_depth as published_pool_depth,
        published.n_topics as published_n_topics,
        published.mean_loss_in_percent_of_full_score as published_mean_loss_in_percent_of_full_score,
        published.largest_loss_in_percent_of_full_score as published_largest_loss_in_percent_of_full_score,
        published.largest_loss_run_id as published_largest_loss_run_id
    from summaries
    inner join collections using (collection_id)
    left join published
        on
            summaries.measure = published.measure
            and summaries.unjudged = 'nonrelevant'
            and summaries.grouped_by = 'all'

)

select * from compared
