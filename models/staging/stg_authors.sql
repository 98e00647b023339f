with

collections as (

    select * from {{ source('raw', 'collections') }}

),

declarations as (

    select * from {{ source('raw', 'authors') }}

),

files as (

    select * from {{ source('ops', 'files') }}
    where kind in ('qrels', 'author_qrels')

),

-- the authors whose answers were added to the qrels. A file that an author loads later, or a removal of its labels,
-- takes no answer out of the qrels.
answering as (

    select distinct
        collection_key,
        name
    from {{ source('ops', 'load_history') }}
    where
        kind = 'author_qrels'
        and starts_with(path, '{{ origin_of_answers() }}')

),

-- the authors with judgements: the author of the qrels, and the others
authors as (

    select
        files.collection_key,
        files.kind = 'qrels' as is_reference,
        answering.name is not null as has_answered,
        case
            when files.kind = 'qrels' then coalesce(collections.reference_author, '{{ reference_author() }}')
            else files.name
        end as author
    from files
    inner join collections using (collection_key)
    left join answering
        on
            files.collection_key = answering.collection_key
            and files.name = answering.name
            and files.kind = 'author_qrels'

)

select
    authors.collection_key,
    authors.author,
    authors.is_reference,
    authors.has_answered or coalesce(declarations.has_answered, false) as has_answered,
    declarations.kind,
    declarations.relevance_threshold,
    declarations.highest_grade,
    declarations.model,
    declarations.prompt,
    declarations.judged_on,
    declarations.notes
from authors
left join declarations using (collection_key, author)
