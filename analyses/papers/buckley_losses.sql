-- question: How much AP is lost without unique documents?
-- about: papers
--
-- Section 1 of Buckley et al. 2006: a row per collection with pooled runs that
-- have a score, and collection of the paper. A run loses the relevant
-- documents that its organization alone contributed. The published figures are
-- of another collection than the loaded ones.
with

{{ imports('dim_collections', published='published_buckley_2006_unique_relevant') }},

summaries as (

    select * from {{ ref('fct_unique_relevant_loss_summaries') }}
    where
        grouped_by = 'all'
        and unjudged = 'nonrelevant'

),

-- one row per collection whose pooled runs have a score, and collection of the paper
compared as (

    select
        summaries.collection_id,
        summaries.measure,
        collections.n_pooled_runs,
        collections.pool_depth,
        collections.n_topics,
        summaries.mean_loss_in_percent_of_full_score,
        summaries.largest_loss_in_percent_of_full_score,
        summaries.largest_loss_run_id,
        published.track as published_track,
        published.n_pooled_runs as published_n_pooled_runs,
        published.pool_depth as published_pool_depth,
        published.n_topics as published_n_topics,
        published.mean_loss_in_percent_of_full_score as published_mean_loss_in_percent_of_full_score,
        published.largest_loss_in_percent_of_full_score as published_largest_loss_in_percent_of_full_score,
        published.largest_loss_run_id as published_largest_loss_run_id
    from summaries
    inner join published on summaries.measure = published.measure
    inner join collections on summaries.collection_id = collections.collection_id

)

select * from compared
