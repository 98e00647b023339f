{{ config(materialized='by_collection') }}

with

judgements as (

    select * from {{ ref('int_judgements') }}
    where {{ is_at_hand() }}

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

contributors as (

    select * from {{ ref('int_contributors') }}
    where {{ is_at_hand() }}

),

judgement_sets as (

    select * from {{ ref('int_judgement_sets') }}
    where {{ is_at_hand() }}

),

-- one row per thing that a judgement set leaves out, nothing among them
left_out as (

    select distinct
        collection_key,
        left_out_run_key,
        left_out_organization_key
    from judgement_sets

),

-- documents with a gain, and who alone contributed them
gainful as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_relevant,
        contributors.sole_run_key,
        contributors.sole_organization_key
    from judgements
    left join contributors
        on
            judgements.collection_key = contributors.collection_key
            and judgements.topic_key = contributors.topic_key
            and judgements.doc_key = contributors.doc_key
    where judgements.grade > 0

),

-- for each thing left out, the documents that stay, in the order of an ideal ranking
ideal as (

    select
        gainful.collection_key,
        gainful.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        gainful.grade,
        gainful.is_relevant,
        row_number() over (
            partition by
                gainful.collection_key,
                gainful.topic_key,
                left_out.left_out_run_key,
                left_out.left_out_organization_key
            order by gainful.grade desc
        ) as ideal_rank
    from gainful
    inner join left_out
        on
            gainful.collection_key = left_out.collection_key
            and {{ stays_judged('gainful.sole_run_key', 'left_out.left_out_run_key') }}
            and {{ stays_judged('gainful.sole_organization_key', 'left_out.left_out_organization_key') }}

),

-- one row per judged topic and thing left out, topics that lose every document among them
totals as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        cast(count(*) filter (where ideal.is_relevant) as integer) as n_relevant,
        {{ ideal_dcg_columns('ideal.ideal_rank', 'ideal.grade') }}
    from judged_topics
    inner join left_out on judged_topics.collection_key = left_out.collection_key
    left join ideal
        on
            judged_topics.collection_key = ideal.collection_key
            and judged_topics.topic_key = ideal.topic_key
            and left_out.left_out_run_key is not distinct from ideal.left_out_run_key
            and left_out.left_out_organization_key is not distinct from ideal.left_out_organization_key
    group by
        judged_topics.collection_key,
        judged_topics.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key

)

select * from totals
