{#-
    Sampled pools in the form that steps read. Each sample is a pool of all its runs, to one depth, and the unpooled
    run is the one that leaves it. The qrels are expanded: a document that a run of a sample contributes and nobody
    judged counts as not relevant, and every judged topic is scored (Webber & Park 2009, section 2). The names are
    those of the arguments of the macro: `collection`, `drawn`, `ranked` (sampled_rankings), `depth`.
-#}
{% macro sampled_pools() -%}
asked_collection as (

    select collection_key
    from {{ ref('int_collections') }}
    where collection_id = collection

),

samples as (

    select
        asked_collection.collection_key,
        drawn_runs.sample,
        drawn_runs.run_key,
        drawn_runs.role
    from query_table(drawn) as drawn_runs
    cross join asked_collection

),

-- the runs of each pool; each run is an organization of its own
int_pool_runs as (

    select
        collection_key,
        sample as pool_key,
        run_key,
        run_key as organization_key
    from samples

),

int_candidates as (

    select
        collection_key,
        sample as pool_key,
        run_key,
        run_key as organization_key,
        run_key as own_organization_key,
        true as is_member,
        true as is_scored
    from samples
    where role = 'unpooled'

),

int_levels as (

    select 'run' as level

),

drawn_runs as (

    select distinct
        collection_key,
        run_key
    from samples

),

int_pooled_runs as (

    select
        collection_key,
        run_key,
        run_key as organization_key,
        depth as pool_depth
    from drawn_runs

),

-- every judged topic, including topics that a run does not answer
int_run_topics as (

    select
        drawn_runs.collection_key,
        drawn_runs.run_key,
        judged_topics.topic_key
    from drawn_runs
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)

),

-- the rankings of the drawn runs; the pooling order is the order by score
int_rankings as (

    select
        rankings.*,
        rankings.rank as pooling_rank
    from query_table(ranked) as rankings
    where rankings.run_key in (select drawn_runs.run_key from drawn_runs)

),

-- a sampled pool has a depth, whatever the lists of the collection
int_listed_documents as (

    select * from {{ ref('int_listed_documents') }}
    where false

),

{{ weights_of_ranks() }},

int_pool_measures as (

    select distinct
        samples.sample as pool_key,
        'all' as subset,
        int_measure_weights.measure,
        depth as cutoff
    from samples
    cross join int_measure_weights

),

{{ steps(['int_contributions'], given=['int_rankings', 'int_pooled_runs', 'int_listed_documents'], stored=['int_pool_depths', 'int_topic_pools']) }},

-- one row per topic and document that any run contributes: judged, and not relevant where it is not in the qrels
int_judgements as (

    select distinct
        contributions.collection_key,
        contributions.topic_key,
        contributions.doc_key,
        true as is_judged,
        coalesce(judgements.is_relevant, false) as is_relevant
    from int_contributions as contributions
    left join {{ ref('int_judgements') }} as judgements using (collection_key, topic_key, doc_key)

),

{{ steps(['int_pool_contributions'], relations_of_pools()) }},

-- the columns of int_pool_documents, where each organization has one run
int_pool_documents as (

    select
        contributors.*,
        judgements.is_relevant
    from (
        select
            contributions.collection_key,
            contributions.pool_key,
            contributions.topic_key,
            contributions.doc_key,
            {{ contributor_columns('contributions', has_one_run_each=true) }}
        from int_pool_contributions as contributions
        group by
            contributions.collection_key,
            contributions.pool_key,
            contributions.topic_key,
            contributions.doc_key
    ) as contributors
    inner join int_judgements as judgements using (collection_key, topic_key, doc_key)

)
{%- endmacro %}

{#- The names of the CTEs of sampled and of chosen pools that replace models. -#}
{% macro relations_of_pools() %}
    {{ return([
        'int_pool_runs',
        'int_pooled_runs',
        'int_candidates',
        'int_levels',
        'int_run_topics',
        'int_rankings',
        'int_measure_weights',
        'int_pool_measures',
        'int_contributions',
        'int_judgements',
        'int_pool_documents',
        'int_pool_contributions',
    ]) }}
{% endmacro %}

{#-
    CTEs that end in `int_measure_weights`, with the measures of the experiments: the columns of the model of this name.
    `depth` is the cutoff.
-#}
{% macro weights_of_ranks() -%}
-- rankings whose only relevant document is at this rank
lone_documents as (

    select
        cast(rank as integer) as rank,
        true as is_relevant
    from range(1, depth + 1) as numbers (rank)

),

-- one row per rank, one column per measure: the weight of a relevant document, as in int_measure_weights
weighed as (

    select
        rank,
        {{ experiment_measure_columns('depth') }}
    from lone_documents
    group by rank

),

unpivoted as (

    {{ unpivot_measures('weighed', var('experiment_measures')) }}

),

int_measure_weights as (

    select
        concat(measure, '@', depth) as measure,
        rank,
        score as weight
    from unpivoted

)
{%- endmacro %}

{#-
    The estimates of the candidates of pools whose CTEs `given` names, as the CTEs int_adjusted_scores and those that
    it reads.
-#}
{% macro estimates_of_pools(given) -%}
{%- set known = given + ['int_adjustments_lipani', 'int_adjustments_filled'] -%}
-- merging is used only for the pool of all pooled runs
int_adjustments_lipani as (

    select
        collection_key,
        pool_key,
        'run' as level,
        run_key,
        'nonrelevant' as unjudged,
        'P' as measure,
        'lipani' as estimator,
        0.0 as adjustment
    from int_candidates
    where false

),

-- documents outside of these pools are filled nowhere
int_adjustments_filled as (

    select
        *,
        cast(null as double) as standard_error,
        cast(null as integer) as degrees_of_freedom
    from int_adjustments_lipani

),

{{ steps(['int_candidate_scores'], known) }},

-- the estimates are those of the papers, which know no bounds
int_candidate_bounds as (

    select
        collection_key,
        pool_key,
        run_key,
        level,
        measure,
        score as lower_bound,
        score as upper_bound
    from int_candidate_scores
    where
        judged_by = 'pool'
        and unjudged = 'nonrelevant'

),

{{ steps(['int_adjusted_scores'], known + [
    'int_pool_rankings', 'int_candidate_rankings', 'int_candidate_topic_scores', 'int_candidate_scores',
    'int_candidate_bounds',
], stored=[] if 'int_pooled_runs' in given else ['int_pooled_runs']) }}
{%- endmacro %}
