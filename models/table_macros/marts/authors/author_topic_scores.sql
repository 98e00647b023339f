{{ config(arguments=['collection', 'asked', 'author', "unjudged := 'nonrelevant'"]) }}
-- topic_scores with the judgements of an author, of a mixture of authors, or of each author.

with

{{ imports('int_collections', 'int_runs', 'int_topics', 'measures') }},

{{ asked_collection(
    ['collection', 'asked', 'unjudged'], wrong_author(), relevance_level=asked_parameter('asked', 'rel')
) }},

{{ judged_by_author() }},

{{ asked_scores(by=['judge'], treatments=['unjudged']) }},

named as (

    select
        collection as collection_id,
        judges.author_name as author,
        runs.run_id,
        topics.topic_id,
        unjudged as unjudged,
        asked as measure,
        {{ asked_trec_eval_name('asked', 'measures') }} as trec_eval_name,
        scores.score,
        scores.is_answered
    from scores
    inner join runs using (run_key)
    inner join judges using (judge)
    inner join topics
        on
            scores.collection_key = topics.collection_key
            and scores.topic_key = topics.topic_key
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}

)

select * from named
