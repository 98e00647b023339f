with

{{ imports('int_label_pairs', 'int_authors', 'int_collections') }},

-- one row per pair of authors, and grade of either
confusion as (

    select
        collection_key,
        author_key,
        other_author_key,
        grade,
        other_grade,
        cast(count(*) as integer) as n_pairs
    from label_pairs
    group by all

),

named as (

    select
        collections.collection_id,
        one.author,
        other.author as other_author,
        confusion.grade,
        confusion.other_grade,
        confusion.n_pairs,
        confusion.n_pairs / sum(confusion.n_pairs) over (
            partition by confusion.collection_key, confusion.author_key, confusion.other_author_key, confusion.grade
        ) as share_of_grade
    from confusion
    inner join collections using (collection_key)
    inner join authors as one using (collection_key, author_key)
    inner join authors as other
        on
            confusion.collection_key = other.collection_key
            and confusion.other_author_key = other.author_key

)

select * from named
