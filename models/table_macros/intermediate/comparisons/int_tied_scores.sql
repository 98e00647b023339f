{{ config(arguments=['collection', 'asked']) }}
-- Any measure on three orders of every ranking: trec_eval's order, and the best and the worst order that its ties
-- allow.

with

{{ imports(
    'int_collections', 'int_runs', 'int_topics', 'int_ties', 'int_run_topics',
    all_judged_rankings='int_judged_rankings'
) }},

{{ asked_collection(['collection', 'asked']) }},

orders as (

    select * from (values ('plain'), ('highest'), ('lowest')) as listed (ordering)

),

-- the judged topics of the collection, once for each order of the documents of a run
sets as (

    select
        judged_topics.*,
        orders.ordering
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)
    cross join orders

),

-- the qrels of the collection, relevant from the requested grade on
judgements as (

    select
        judgements.* replace (
            {{ asked_relevance('judgements') }} as is_relevant
        ),
        orders.ordering
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements using (collection_key)
    cross join orders

),

-- the documents of the collection's rankings that are in the qrels, in trec_eval's order
trec_eval_rankings as (

    select
        all_judged_rankings.* replace (
            {{ asked_relevance('all_judged_rankings') }} as is_relevant
        ),
        {{ tie_key('asked', 'all_judged_rankings', 'asked_collection.relevance_level') }} as tie_key
    from asked_collection
    inner join all_judged_rankings using (collection_key)

),

-- the groups of tied documents of the collection's rankings
groups as (

    select ties.*
    from asked_collection
    inner join ties using (collection_key)

),

-- the same documents with the nearest group that begins at their rank or above it
beside_groups as (

    select
        trec_eval_rankings.*,
        groups.first_rank,
        groups.last_rank
    from trec_eval_rankings
    asof left join groups
        on
            trec_eval_rankings.run_key = groups.run_key
            and trec_eval_rankings.topic_key = groups.topic_key
            and trec_eval_rankings.rank >= groups.first_rank

),

-- the tied ones of the same documents, and the ranks that they can have
tied_documents as (

    select
        * exclude (tie_key),
        cast(
            first_rank - 1 + row_number() over (partition by run_key, topic_key, first_rank order by tie_key desc)
            as integer
        ) as rank_by_key
    from beside_groups
    where rank <= last_rank

),

-- all of these documents, with their ranks in the order of the key and in the reverse order
ordered as (

    select
        * exclude (rank_by_key, first_rank, last_rank),
        rank_by_key as rank_in_order,
        first_rank + last_rank - rank_by_key as rank_in_reverse
    from tied_documents
    union all
    select
        * exclude (tie_key, first_rank, last_rank),
        rank as rank_in_order,
        rank as rank_in_reverse
    from beside_groups
    where
        last_rank is null
        or rank > last_rank

),

-- the rankings in each order: trec_eval's, and those with the highest and the lowest score
judged_rankings as (

    select
        'plain' as ordering,
        * exclude (tie_key)
    from trec_eval_rankings
    union all
    select
        'highest' as ordering,
        * exclude (rank_in_order, rank_in_reverse)
        replace (case {{ asked_ties('asked') }} when 'unjudged' then rank_in_reverse else rank_in_order end as rank)
    from ordered
    union all
    select
        'lowest' as ordering,
        * exclude (rank_in_order, rank_in_reverse)
        replace (case {{ asked_ties('asked') }} when 'unjudged' then rank_in_order else rank_in_reverse end as rank)
    from ordered

),

-- one row per run, order and judged topic
lists as (

    select
        runs.run_key,
        sets.*
    from runs
    inner join sets using (collection_key)

),

{{ asked_scores(by=['ordering']) }},

-- one row per run and judged topic: its scores in the three orders
scores_of_runs as (

    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        max(score) filter (where ordering = 'plain') as score,
        max(score) filter (where ordering = 'highest') as highest_score,
        max(score) filter (where ordering = 'lowest') as lowest_score
    from scores
    group by all

),

-- one row per run and topic: how many of its documents are tied with another one
tied_counts as (

    select
        groups.run_key,
        groups.topic_key,
        sum(groups.last_rank - groups.first_rank + 1) as n_tied
    from groups
    group by all

),

-- one row per run and judged topic; sums in another order differ in the last digits, which no order of documents
-- causes
bounded as (

    select
        collection as collection_id,
        runs.run_id,
        topics.topic_id,
        asked as measure,
        scores_of_runs.score,
        case
            when {{ asked_ties('asked') }} <> 'unknown' then least(scores_of_runs.score, scores_of_runs.lowest_score)
        end as lowest_score,
        case
            when {{ asked_ties('asked') }} <> 'unknown'
                then greatest(scores_of_runs.score, scores_of_runs.highest_score)
        end as highest_score,
        cast(coalesce(tied_counts.n_tied, 0) as integer) as n_tied,
        scores_of_runs.is_answered
    from scores_of_runs
    left join tied_counts using (run_key, topic_key)
    inner join runs using (run_key)
    inner join topics
        on
            scores_of_runs.collection_key = topics.collection_key
            and scores_of_runs.topic_key = topics.topic_key

)

select * from bounded
