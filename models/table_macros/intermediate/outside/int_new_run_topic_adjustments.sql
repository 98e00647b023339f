{{ config(arguments=['collection', 'run_table', 'common_table']) }}
-- The adjustments of the score of a new run from common topics. The steps are those of the loaded runs that were
-- judged on common topics.

with

int_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

int_run_topics as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from int_rankings
    group by all

),

-- the documents of the run that the qrels judge
int_judgements as (

    select
        collection_key,
        topic_key,
        doc_key,
        true as is_judged,
        is_relevant
    from int_rankings
    where is_relevant is not null

),

-- the topics that the run answers
new_topics as (

    select distinct
        collection_key,
        run_key,
        topic_key,
        topic_id
    from int_rankings

),

-- the documents of the run that were judged for it, with their topics; a topic of which the run returned none of
-- them is common too
int_common_judgements as (

    select
        new_topics.collection_key,
        new_topics.run_key,
        new_topics.topic_key,
        int_rankings.doc_key,
        common_judgements.is_relevant
    from {{ ref('int_new_run_common_judgements') }}(collection, common_table) as common_judgements
    inner join new_topics using (topic_id)
    left join int_rankings using (topic_id, doc_id)

),

{{ steps(
    ['int_common_topic_adjustments'],
    given=['int_rankings', 'int_run_topics', 'int_judgements', 'int_common_judgements'],
    stored=['int_candidate_topic_scores']
) }}

select * from int_common_topic_adjustments
