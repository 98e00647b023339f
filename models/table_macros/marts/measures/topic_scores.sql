{{ config(arguments=[
    'collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'",
    "author := '" ~ reference_author() ~ "'"
]) }}

with

scores_by_reference as (

    select * from {{ ref('int_asked_topic_scores') }}(collection, asked, judgement_set, unjudged)
    where author = '{{ reference_author() }}'

),

-- the scores by the judgements of another author. The condition on the argument is folded, so that only one part is
-- computed.
scores_by_author as (

    select
        author_scores.collection_id,
        author_scores.run_id,
        author_scores.topic_id,
        case
            when judgement_set = 'full' then judgement_set
            else error('the judgements of an author have no judgement set except full')
        end as judgement_set,
        author_scores.unjudged,
        author_scores.measure,
        author_scores.trec_eval_name,
        author_scores.score,
        author_scores.is_answered
    from {{ ref('author_topic_scores') }}(collection, asked, author, unjudged := unjudged) as author_scores
    where
        case
            when author is null then error('author is null: name one, such as {{ reference_author() }}')
            else author <> '{{ reference_author() }}'
        end

)

select * from scores_by_reference
union all
select * from scores_by_author
