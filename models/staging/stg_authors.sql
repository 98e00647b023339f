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

-- the authors with judgements: the author of the qrels, and the others
authors as (

    select
        files.collection_key,
        files.kind = 'qrels' as is_reference,
        starts_with(files.path, '{{ origin_of_answers() }}') as has_answered,
        case
            when files.kind = 'qrels' then coalesce(collections.reference_author, '{{ reference_author() }}')
            else files.name
        end as author
    from files
    inner join collections on files.collection_key = collections.collection_key

)

select
    authors.collection_key,
    authors.author,
    authors.is_reference,
    authors.has_answered,
    declarations.kind,
    declarations.relevance_threshold,
    declarations.highest_grade,
    declarations.model,
    declarations.prompt,
    declarations.judged_on,
    declarations.notes
from authors
left join declarations
    on
        authors.collection_key = declarations.collection_key
        and authors.author = declarations.author
