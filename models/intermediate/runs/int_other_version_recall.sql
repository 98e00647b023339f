with

{{ imports('int_measures', 'int_judgements', 'int_judged_rankings') }},

-- one row per judged topic and materialized measure at a recall level
levels as (

    select
        judgements.collection_key,
        judgements.topic_key,
        measures.measure,
        measures.recall_level,
        measures.relevance_level,
        count(*) filter (
            where coalesce(judgements.grade >= measures.relevance_level, judgements.is_relevant)
        ) as n_relevant
    from judgements
    cross join measures
    where measures.recall_level is not null
    group by all

),

-- the levels at which the versions need another number of relevant documents, with the number in the other version
differing as (

    select
        *,
        {{ recall_documents('recall_level', 'n_relevant', other_version()) }} as n_needed
    from levels
    where
        {{ recall_documents('recall_level', 'n_relevant', 9) }}
        <> {{ recall_documents('recall_level', 'n_relevant', 10) }}

),

-- one row per topic and relevance level of these levels
topics as (

    select distinct
        collection_key,
        topic_key,
        relevance_level
    from differing

),

-- the documents of the lists that both versions may order differently
reordered as (

    select
        run_key,
        topic_key,
        doc_key,
        other_version_rank
    from {{ ref('int_rankings') }}
    where other_version_rank is not null

),

-- the documents of these topics that are relevant, with their rank in the other version
relevant as (

    select
        topics.*,
        judged_rankings.run_key,
        coalesce(reordered.other_version_rank, judged_rankings.rank) as rank
    from topics
    inner join judged_rankings using (collection_key, topic_key)
    left join reordered using (run_key, topic_key, doc_key)
    where coalesce(judged_rankings.grade >= topics.relevance_level, judged_rankings.is_relevant)

),

-- the same rows, counted from the top
counted as (

    select
        *,
        row_number() over (
            partition by run_key, topic_key, relevance_level
            order by rank
        ) as nth_relevant
    from relevant

),

-- one row per run, topic and measure
scores as (

    select
        counted.collection_key,
        counted.run_key,
        counted.topic_key,
        differing.measure,
        {{ interpolated_precision('counted.nth_relevant', 'true', 'differing.n_needed') }} as score
    from counted
    inner join differing
        on
            counted.collection_key = differing.collection_key
            and counted.topic_key = differing.topic_key
            and counted.relevance_level is not distinct from differing.relevance_level
    group by all

)

select * from scores
