with

{{ imports('int_author_figures', 'int_author_verdicts', 'int_authors', 'int_collections') }},

-- one row per author: what its labels may be used for, and why. Rules without a figure may share their cause.
verdicts as (

    select
        collection_key,
        author_key,
        {{ author_verdict() }} as verdict,
        string_agg(finding, '; ' order by position) filter (where outcome = 'fails') as failures,
        string_agg(finding, '; ' order by position) filter (where outcome = 'passes with care') as cautions,
        string_agg(distinct finding, '; ' order by finding) filter (where outcome is null) as not_told
    from author_verdicts
    group by all

),

named as (

    select
        collections.collection_id,
        authors.author,
        authors.kind,
        authors.model,
        collections.main_measure as measure,
        verdicts.verdict,
        verdicts.failures,
        verdicts.cautions,
        verdicts.not_told,
        author_figures.* exclude (collection_key, author_key)
    from author_figures
    inner join verdicts using (collection_key, author_key)
    inner join authors using (collection_key, author_key)
    inner join collections using (collection_key)

)

select * from named
