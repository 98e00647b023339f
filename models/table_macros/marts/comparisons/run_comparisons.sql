{{ config(arguments=['collection', 'asked', "author := '" ~ reference_author() ~ "'"]) }}

with

scores as (

    select * from {{ ref('topic_scores') }}(collection, asked, author := author)

),

-- the same rows, or an error where the measure is not a mean
checked as (

    select
        scores.*
        replace (
            case
                when {{ problem_with_comparing('asked') }} is not null
                    then error({{ problem_with_comparing('asked') }})
                else scores.score
            end as score
        )
    from scores

),

-- one row per pair of runs, the lower name first, and judged topic
paired_scores as (

    select
        asked as measure,
        one.run_id,
        other.run_id as other_run_id,
        one.topic_id,
        one.score,
        other.score as other_score
    from checked as one
    inner join checked as other
        on
            one.topic_id = other.topic_id
            and one.run_id < other.run_id

),

{{ comparisons() }},

named as (

    select
        collection as collection_id,
        *
    from comparisons

)

select * from named
