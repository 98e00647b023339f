{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

{{ imports('int_pool_measures', 'int_measure_weights', exceptions='int_withdrawal_exceptions') }},

-- of all members, not only of the candidates that are being built
pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where
        {{ is_at_hand() }}
        and is_relevant

),

-- the relevant documents of the runs of a pool, and whether the run alone contributed the document, which is then
-- in no condensed list of the run
relevant_documents as (

    select
        *,
        not {{ stays_judged('sole_run_key', 'run_key') }} as is_lone
    from pool_rankings

),

-- the relevant documents of the member that an exception affects: the document itself, and the documents below it.
-- Each of these moves up by one where a document is lost, and down by one where a document is kept.
moved as (

    select
        exceptions.collection_key,
        exceptions.pool_key,
        exceptions.level,
        exceptions.run_key,
        exceptions.member_run_key,
        exceptions.has_substitution,
        relevant_documents.rank,
        relevant_documents.is_lone,
        relevant_documents.condensed_rank as old_rank,
        relevant_documents.condensed_rank
        + sum(case when exceptions.is_lost then -1 else 1 end) as new_rank,
        bool_or(exceptions.rank = relevant_documents.rank and exceptions.is_lost) as is_lost,
        bool_or(exceptions.rank = relevant_documents.rank and not exceptions.is_lost) as is_kept,
        bool_or(exceptions.rank = relevant_documents.rank and not exceptions.is_in_pool) as is_gone
    from exceptions
    inner join relevant_documents
        on
            exceptions.collection_key = relevant_documents.collection_key
            and exceptions.pool_key = relevant_documents.pool_key
            and exceptions.member_run_key = relevant_documents.run_key
            and exceptions.topic_key = relevant_documents.topic_key
            and exceptions.rank <= relevant_documents.rank
    group by
        exceptions.collection_key,
        exceptions.pool_key,
        exceptions.level,
        exceptions.run_key,
        exceptions.member_run_key,
        exceptions.has_substitution,
        relevant_documents.topic_key,
        relevant_documents.rank,
        relevant_documents.is_lone,
        relevant_documents.condensed_rank

),

-- the ranks at which they counted and, with the opposite sign, the ranks at which they count: the extra loss of
-- the member. A document that has left the pool with the candidate counted before at its rank in the whole list.
condensed_ranks as (

    select
        * exclude (rank, old_rank, new_rank),
        old_rank as rank,
        1 as sign
    from moved
    where not is_lone
    union all
    select
        * exclude (rank, old_rank, new_rank),
        new_rank as rank,
        -1 as sign
    from moved
    where is_kept or not (is_lone or is_lost)
    union all
    select
        * exclude (rank, old_rank, new_rank),
        rank,
        -1 as sign
    from moved
    where is_gone

),

-- the same ranks for the exceptions alone, where unjudged documents are not relevant
plain_ranks as (

    select
        *,
        case when is_lost then 1 else -1 end as sign
    from exceptions
    where
        is_relevant
        and is_in_pool

),

ranks as (

    {% for unjudged, rows in [('condensed', 'condensed_ranks'), ('nonrelevant', 'plain_ranks')] %}
        select
            collection_key,
            pool_key,
            level,
            run_key,
            member_run_key,
            has_substitution,
            '{{ unjudged }}' as unjudged,
            rank,
            sign
        from {{ rows }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per pair, variant, treatment and measure: the loss of the member beyond its loss whoever the candidate
-- is, summed over topics
losses as (

    select
        ranks.collection_key,
        ranks.pool_key,
        ranks.level,
        ranks.run_key,
        ranks.member_run_key,
        ranks.has_substitution,
        ranks.unjudged,
        measure_weights.measure,
        sum(ranks.sign * measure_weights.weight) as loss
    from ranks
    inner join measure_weights using (rank)
    inner join pool_measures using (pool_key, measure)
    group by all

)

select * from losses
