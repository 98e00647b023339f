with

{{ imports('int_candidate_rankings', 'int_levels', 'int_authors') }},

other_contributors as (

    select * from {{ ref('int_other_contributors') }}
    where
        not is_member
        and not stays_judged

),

-- the collections with an author that is compared with the reference: only there is anything filled
other_authors as (

    select distinct collection_key
    from authors
    where is_compared

),

-- the documents of each candidate that lose their judgement when the candidate leaves, at each level, and count in its
-- true score; and those of each candidate outside of the pool that nobody judged
lost_documents as (

    select
        candidate_rankings.collection_key,
        candidate_rankings.pool_key,
        candidate_rankings.run_key,
        levels.level,
        candidate_rankings.topic_key,
        candidate_rankings.doc_key,
        candidate_rankings.rank,
        candidate_rankings.is_relevant
    from candidate_rankings
    semi join other_authors using (collection_key)
    cross join levels
    where
        not {{ stays_judged(
            contributor_at('levels.level', 'candidate_rankings', prefix='sole_'),
            contributor_at('levels.level', 'candidate_rankings')
        ) }}
        and {{ is_true_judgement('levels.level', 'candidate_rankings') }}
    union all
    select
        other_contributors.collection_key,
        other_contributors.pool_key,
        other_contributors.run_key,
        'organization' as level,
        other_contributors.topic_key,
        other_contributors.doc_key,
        other_contributors.rank,
        other_contributors.is_relevant
    from other_contributors
    semi join other_authors using (collection_key)

)

select * from lost_documents
