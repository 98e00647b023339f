{{ config(materialized='table') }}
{#- The two shares, each with the fewest documents that its prior counts as. -#}
{%- set shares = {'rare': 3, 'topic': 1} -%}
with

{{ imports(counts='int_precision_counts where is_member', runs='int_run_counts where is_member') }},

-- one row per pool and organization: the part of each of its runs, so that every organization counts once
parts as (

    select
        collection_key,
        pool_key,
        organization_key,
        1 / count(*) as part
    from runs
    group by all

),

-- the shares of relevant documents that vary: one row per run with rare documents, and one per run and topic with
-- judged documents, with the share that is expected of it
observed as (

    select
        collection_key,
        pool_key,
        organization_key,
        'rare' as name,
        n_rare as n_documents,
        n_rare_relevant as n_relevant,
        rare_precision_of_pool as expected
    from runs
    where n_rare > 0
    union all
    select
        counts.collection_key,
        counts.pool_key,
        counts.organization_key,
        'topic' as name,
        counts.n_judged as n_documents,
        counts.n_relevant,
        runs.precision as expected
    from counts
    inner join runs using (collection_key, pool_key, run_key)
    where counts.n_judged > 0

),

-- one row per pool, organization and share: sums of documents, of the squared distances from the expected shares, and of
-- the variance of single documents
moments as (

    select
        observed.collection_key,
        observed.pool_key,
        observed.organization_key,
        observed.name,
        sum(parts.part * observed.n_documents) as n_documents,
        sum(
            parts.part * observed.n_documents * pow(observed.n_relevant / observed.n_documents - observed.expected, 2)
        ) as squared_distance,
        sum(parts.part * observed.expected * (1 - observed.expected)) as variance,
        sum(parts.part * observed.n_documents * observed.expected * (1 - observed.expected)) as variance_of_documents
    from observed
    inner join parts using (collection_key, pool_key, organization_key)
    group by all

),

-- one row per pool and organization that leaves it, and one where none does (organization 0)
leaving as (

    select
        collection_key,
        pool_key,
        organization_key
    from parts
    union all
    select distinct
        collection_key,
        pool_key,
        0 as organization_key
    from parts

),

-- one row per pool, leaving organization and share: the variance of a document, and how much of it lies between runs or
-- topics (the moments of a share of a sum), over the other organizations
learned as (

    select
        leaving.collection_key,
        leaving.pool_key,
        leaving.organization_key,
        moments.name,
        sum(moments.variance_of_documents) / sum(moments.n_documents) as variance,
        (sum(moments.squared_distance) - sum(moments.variance)) / sum(moments.n_documents) as variance_between
    from leaving
    inner join moments
        on
            leaving.collection_key = moments.collection_key
            and leaving.pool_key = moments.pool_key
            and leaving.organization_key <> moments.organization_key
    group by all

),

-- one row per pool and leaving organization: the number of documents that the prior of each share counts as. It is
-- large where shares hardly differ more than by chance, and all documents together say more than the few of one run.
priors as (

    select
        leaving.collection_key,
        leaving.pool_key,
        {% for name, fewest in shares.items() %}
            coalesce(
                max(
                    case
                        when learned.name = '{{ name }}'
                            then {{ documents_of_a_learned_prior(
                                'learned.variance', 'learned.variance_between', fewest
                            ) }}
                    end
                ),
                {{ documents_of_the_prior() }}
            ) as n_{{ name }}_prior,
        {% endfor %}
        leaving.organization_key
    from leaving
    left join learned using (collection_key, pool_key, organization_key)
    group by all

)

select * from priors
