{{ config(materialized='table') }}

with

{{ imports(
    'int_rankings', 'int_pool_runs', 'int_run_topics', 'int_pool_measures', 'int_candidates', 'int_contributions',
    'int_pool_documents where is_relevant is not null'
) }},

-- one row per pool: the deepest cutoff of its measures
pools as (

    select
        pool_key,
        max(cutoff) as deepest_cutoff
    from pool_measures
    group by pool_key

),

-- the documents that any pool has judged, among which documents at deep ranks are looked up. Materialized, as
-- below.
judged_rankings as materialized (

    select rankings.*
    from rankings
    semi join pool_documents using (collection_key, topic_key, doc_key)

),

-- one row per run of a pool and topic that it answers, with the deepest cutoff of the measures
lists as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        pool_runs.run_key,
        pool_runs.organization_key,
        run_topics.topic_key,
        pools.deepest_cutoff
    from pool_runs
    inner join pools using (pool_key)
    inner join run_topics using (collection_key, run_key)

),

-- one row per pool and organization that may leave it
leaving_organizations as (

    select distinct
        collection_key,
        pool_key,
        organization_key
    from candidates
    where is_member

),

{#-
    The rankings in pieces, each down to one of the bounds times the deepest cutoff (none is the end). Where a list is
    full, its further pieces are not read; the whole of every list would be five times as many rows.
-#}
{% set bounds = [1, 2, 4, 16, none] %}
{% for bound in bounds %}
    -- the next ranks of the lists that are not full. Materialized, because the planner would otherwise look for each
    -- document in all pools first, and read the lists that have it afterwards.
    ranks_{{ loop.index }} as materialized (

        select
            open_lists.*,
            next_ranks.doc_key,
            next_ranks.rank
        from {{ 'lists' if loop.first else 'open_' ~ loop.index0 }} as open_lists
        inner join {{ 'rankings' if bound else 'judged_rankings' }} as next_ranks
            on
                open_lists.collection_key = next_ranks.collection_key
                and open_lists.run_key = next_ranks.run_key
                and open_lists.topic_key = next_ranks.topic_key
                {% if bound %}
                    and next_ranks.rank <= {{ bound }} * open_lists.deepest_cutoff
                {% endif %}
                {% if not loop.first %}
                    and next_ranks.rank > {{ bounds[loop.index0 - 1] }} * open_lists.deepest_cutoff
                {% endif %}

    ),

    -- the documents at these ranks that the pool has judged, and whether each stays judged whoever leaves: the run
    -- itself alone, or the organization of a candidate
    piece_{{ loop.index }} as (

        select
            ranks.*,
            pool_documents.is_relevant,
            pool_documents.sole_run_key,
            pool_documents.sole_organization_key,
            contributions.run_key is not null as is_own_contribution,
            pool_documents.n_organizations
            > cast(contributions.run_key is not null as integer)
            + cast(leaving_organizations.pool_key is not null as integer) as is_firm
        from ranks_{{ loop.index }} as ranks
        inner join pool_documents using (collection_key, pool_key, topic_key, doc_key)
        left join contributions using (collection_key, run_key, topic_key, doc_key)
        -- where the run and one other organization contributed the document, that organization; where only another
        -- organization contributed it, that one
        left join leaving_organizations
            on
                ranks.collection_key = leaving_organizations.collection_key
                and ranks.pool_key = leaving_organizations.pool_key
                and case
                    when contributions.run_key is null then pool_documents.sole_organization_key
                    else pool_documents.organization_keys - ranks.organization_key
                end = leaving_organizations.organization_key

    ),

    {% if not loop.last %}
        -- the lists that have at least as many documents that stay judged as the deepest cutoff needs
        full_{{ loop.index }} as (

            select
                pool_key,
                run_key,
                topic_key
            from (
                {% for piece in range(1, loop.index + 1) %}
                    select * from piece_{{ piece }}
                    {{ 'union all' if not loop.last }}
                {% endfor %}
            ) as pieces
            where is_firm
            group by all
            having count(*) >= any_value(deepest_cutoff)

        ),

        -- the other lists
        open_{{ loop.index }} as (

            select open_lists.*
            from {{ 'lists' if loop.first else 'open_' ~ loop.index0 }} as open_lists
            anti join full_{{ loop.index }} as full_lists using (pool_key, run_key, topic_key)

        ),
    {% endif %}
{% endfor %}

-- lists that lose no document down to the cutoff, whoever leaves, so that no document moves
settled as (

    select
        piece_1.*,
        piece_1.rank as condensed_rank
    from piece_1
    semi join full_1 using (pool_key, run_key, topic_key)

),

-- the documents of the other lists
unsettled as (

    select piece_1.*
    from piece_1
    anti join full_1 using (pool_key, run_key, topic_key)
    {% for bound in bounds[1:] %}
        union all
        select * from piece_{{ loop.index + 1 }}
    {% endfor %}

),

-- the same rows, with the number of documents down to each that stay judged when the run leaves the pool
condensed as (

    select
        *,
        cast(
            count(*) filter (where {{ stays_judged('sole_run_key', 'run_key') }}) over (
                partition by pool_key, run_key, topic_key
                order by rank
            ) as integer
        ) as condensed_rank
    from unsettled

),

pool_rankings as (

    select * from settled
    union all
    select * from condensed

)

select * exclude (deepest_cutoff, is_firm) from pool_rankings
