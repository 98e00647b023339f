-- question: Which of two pools prefers title words more?
-- about: papers
--
-- Buckley et al. 2006, section 2: one row with titlestat of a collection and of
-- another one, over the topics that both have, by topic id
-- (docs/title_words.md). documents is relevant, unique_relevant or pooled.
-- n_topics counts the topics with both titlestats known, and n_topics_unknown
-- the other shared topics. titlestat and other_titlestat are means over the
-- n_topics topics, and mean_difference is the difference of the two.
-- n_topics_higher, n_topics_tied and n_topics_lower compare the first
-- collection with the other. standard_error is of mean_difference. paired_t
-- (n_topics - 1 degrees of freedom) and its two-sided p_value are null where
-- the difference is the same on all topics.
--
-- parameter: collection
-- parameter: other_collection
-- parameter: documents = 'relevant'
with

{{ imports('fct_topic_titlestats', 'fct_titlestats') }},

-- one row: the collections and the document set; or an error where one of them does not exist
asked as (

    select
        case
            when count(*) filter (where collection_id = $collection) = 0 then {{ no_titlestat('$collection') }}
            when count(*) filter (where collection_id = $other_collection) = 0
                then {{ no_titlestat('$other_collection') }}
            when count(*) filter (where document_set = $documents) = 0
                then error('no document set is called ' || coalesce($documents, 'null'))
            else $documents
        end as document_set
    from titlestats

),

-- one row per topic that both collections have, whether its titlestats are known or not
shared_topics as (

    select
        one.topic_id,
        one.titlestat as score,
        other.titlestat as other_score
    from topic_titlestats as one
    inner join topic_titlestats as other using (topic_id, document_set)
    where
        one.collection_id = $collection
        and other.collection_id = $other_collection
        and one.document_set = $documents

),

-- one row per topic with both titlestats known
paired_scores as (

    select
        $documents as measure,
        $collection as run_id,
        $other_collection as other_run_id,
        topic_id,
        score,
        other_score
    from shared_topics
    where
        score is not null
        and other_score is not null

),

{{ comparisons() }},

shared_topic_counts as (

    select count(*) as n_shared from shared_topics

),

-- one row, even where no topic is shared
compared as (

    select
        $collection as collection_id,
        $other_collection as other_collection_id,
        asked.document_set,
        coalesce(comparisons.n_topics, 0) as n_topics,
        cast(shared_topic_counts.n_shared - coalesce(comparisons.n_topics, 0) as integer) as n_topics_unknown,
        comparisons.mean_score as titlestat,
        comparisons.other_mean_score as other_titlestat,
        comparisons.mean_difference,
        comparisons.n_topics_won as n_topics_higher,
        comparisons.n_topics_tied,
        comparisons.n_topics_lost as n_topics_lower,
        comparisons.standard_error,
        comparisons.paired_t,
        {{ t_p_value('comparisons.paired_t', '(comparisons.n_topics - 1)') }} as p_value
    from asked
    cross join shared_topic_counts
    left join comparisons on asked.document_set = comparisons.measure

)

select * from compared
