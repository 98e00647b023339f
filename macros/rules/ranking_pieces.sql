{#-
    Rankings in pieces, each down to one of the cutoffs `bounds` (none is the end). Where a list is full, its
    further pieces are not read; the whole of every list would be five times as many rows. The CTEs are `piece_1`,
    `piece_2` and so on, and `full_1`, the lists that are full after the first piece. They read the CTEs `lists`,
    `rankings`, `judged_rankings`, `pool_documents`, `contributions` and `leaving_organizations` of
    int_pool_rankings.
-#}
{% macro ranking_pieces(bounds) -%}
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
    inner join pool_documents
        on
            ranks.collection_key = pool_documents.collection_key
            and ranks.pool_key = pool_documents.pool_key
            and ranks.topic_key = pool_documents.topic_key
            and ranks.doc_key = pool_documents.doc_key
    left join contributions
        on
            ranks.collection_key = contributions.collection_key
            and ranks.run_key = contributions.run_key
            and ranks.topic_key = contributions.topic_key
            and ranks.doc_key = contributions.doc_key
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
    group by
        pool_key,
        run_key,
        topic_key
    having count(*) >= any_value(deepest_cutoff)

),

-- the other lists
open_{{ loop.index }} as (

    select open_lists.*
    from {{ 'lists' if loop.first else 'open_' ~ loop.index0 }} as open_lists
    anti join full_{{ loop.index }} as full_lists
        on
            open_lists.pool_key = full_lists.pool_key
            and open_lists.run_key = full_lists.run_key
            and open_lists.topic_key = full_lists.topic_key

),
{% endif %}
{% endfor %}
{%- endmacro %}
