{#-
    A new run in the table `run_table` as a candidate of the pool of all pooled runs, and of the pool of the qrels: one CTE
    with the name of a model for each of the rows that the steps of estimates read. `stored_pool` names the models that
    depend on the pool of all pooled runs alone. The organization of the run is `known_organization`, or, where this is null,
    that of the run as it is loaded (`known_run`). `of_its_documents` reads the rankings of other runs for its documents
    alone.
-#}
{% macro new_run_as_candidate(stored_pool, of_its_documents=false) -%}
-- the documents of the run that a score or an estimate depends on: those at the ranks that count, those that the
-- run would have contributed, and those that another run returned or the qrels hold
outside_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)
    where
        rank <= (select max(cutoff) from {{ ref('int_pool_measures') }})
        or coalesce(is_above_pool_depth, false)
        or doc_key >= 0

),

-- one row: the collection
asked_collection as (

    select any_value(collection_key) as collection_key
    from outside_rankings

),

-- one row: the organization of the run; 0, which is no organization of the pool, where it is not known
own_organization as (

    select coalesce(max(runs.organization_key), 0) as organization_key
    from asked_collection
    left join {{ ref('int_runs') }} as runs
        on
            asked_collection.collection_key = runs.collection_key
            and case
                when known_organization is null then runs.run_id = known_run
                else runs.organization = known_organization
            end

),

{{ asked_pool(stored_pool) }},

-- the documents of the pool of all pooled runs, and those documents of the run that the qrels judge
int_pool_documents as (

    select stored.*
    from asked_collection
    inner join {{ ref('int_pool_documents') }} as stored using (collection_key)
    where stored.pool_key = 0
    union all by name
    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from outside_rankings
    where is_relevant is not null

),

pools as (

    select * from (values (0), ({{ qrels_pool_key() }})) as listed (pool_key)

),

-- the measures of both pools
int_pool_measures as (

    select stored.* replace (pools.pool_key as pool_key)
    from {{ ref('int_pool_measures') }} as stored
    cross join pools
    where stored.pool_key = 0

),

-- the run, in both pools
int_candidates as (

    select
        asked_collection.collection_key,
        pools.pool_key,
        0 as run_key,
        0 as organization_key,
        own_organization.organization_key as own_organization_key,
        false as is_member,
        true as is_scored
    from asked_collection
    cross join own_organization
    cross join pools

),

-- the topics of all runs, including this run
int_run_topics as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        run_topics.n_retrieved
    from asked_collection
    inner join {{ ref('int_run_topics') }} as run_topics using (collection_key)
    union all
    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from outside_rankings
    group by
        collection_key,
        run_key,
        topic_key

),

-- the rankings of the pooled runs and of this run: no step looks at others
int_rankings as materialized (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings using (collection_key)
    semi join int_pool_runs using (run_key)
    {%- if of_its_documents %}
    semi join outside_rankings using (topic_key, doc_key)
    {%- endif %}
    union all
    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        rank
    from outside_rankings

),

-- the documents that the run would have contributed, and those that pooled runs of its organization did
int_contributions as (

    select
        collection_key,
        run_key,
        0 as organization_key,
        topic_key,
        doc_key,
        rank
    from outside_rankings
    where is_above_pool_depth
    union all
    select
        contributions.collection_key,
        contributions.run_key,
        contributions.organization_key,
        contributions.topic_key,
        contributions.doc_key,
        contributions.rank
    from own_organization
    inner join {{ ref('int_contributions') }} as contributions using (organization_key)
    where contributions.organization_key <> 0

),

{{ judged_by_pools(
    'int_candidates', 'outside_rankings', 'int_pool_documents', is_own_contribution='rankings.is_above_pool_depth'
) }}
{%- endmacro %}

{#- The models whose rows are given then. -#}
{% macro given_of_a_new_run() %}
    {{ return([
        'int_pool_documents', 'int_pool_measures', 'int_candidates', 'int_run_topics', 'int_rankings', 'int_contributions',
        'int_candidate_rankings'
    ]) }}
{% endmacro %}

{#-
    A new run from the rows of int_new_run_rankings in the table `new_rankings`, which also have the name of the run: one CTE
    with the name of a model for each of the rows that the steps of scores read.
-#}
{% macro ranked_new_run() -%}
new_documents as (

    select * from query_table(new_rankings)

),

int_runs as (

    select distinct
        collection_key,
        run_key,
        run_id,
        0 as organization_key
    from new_documents

),

int_run_topics as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from new_documents
    group by all

),

int_judged_rankings as (

    {{ judged_new_documents() }}

)
{%- endmacro %}

{#- Its documents that are in the qrels, with their judgements. -#}
{% macro judged_new_documents() -%}
select
        new_documents.collection_key,
        new_documents.run_key,
        new_documents.topic_key,
        new_documents.doc_key,
        new_documents.rank,
        judgements.grade,
        case when judgements.is_judged then judgements.is_relevant end as is_relevant
    from new_documents
    inner join {{ ref('int_judgements') }} as judgements using (collection_key, topic_key, doc_key)
{%- endmacro %}
