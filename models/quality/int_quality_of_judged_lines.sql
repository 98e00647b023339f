with

{{ imports(
    collections='raw.collections where ' ~ is_at_hand(),
    qrels_lines='raw.qrels_lines where ' ~ is_at_hand(),
    author_lines='raw.author_lines where ' ~ is_at_hand()
) }},

-- one row per collection and figure
of_qrels as (

    select
        collection_key,
        {{ figures(
            promised('judged_topics_are_words', is_word('query'), naming=['line_number', 'query']),
            promised('judged_documents_are_words', is_word('docno'), naming=['line_number', 'docno'])
        ) }}
    from qrels_lines
    group by collection_key

),

-- one row per collection and figure
of_authors as (

    select
        collection_key,
        {{ figures(
            promised('author_topics_are_words', is_word('query'), naming=['author', 'line_number', 'query']),
            promised('author_documents_are_words', is_word('docno'), naming=['author', 'line_number', 'docno'])
        ) }}
    from author_lines
    group by collection_key

),

-- the rows of both
figures as (

    select * from of_qrels
    union all
    select * from of_authors

),

named as (

    select
        collections.collection_id,
        figures.* exclude (collection_key)
    from figures
    inner join collections using (collection_key)

)

select * from named
