{{ config(arguments=['collection', 'later']) }}
{%- set others = later_measures_without_sums() %}
{%- set measures = var('bias_measures') + others %}
-- The scores of every run with the loaded judgements, and with those of the table `later` (of later_judgements) too.
-- A later grade takes the place of a loaded one. The topics are those of the loaded judgements, and the documents those of
-- the collection.

with

{{ imports('int_runs', 'int_run_topics', 'int_topics', 'int_documents', 'int_measure_weights') }},

asked_collection as (

    select
        collection_key,
        relevance_threshold
    from {{ ref('int_collections') }}
    where collection_id = collection

),

judged_topics as (

    select
        topics.collection_key,
        topics.topic_key,
        topics.topic_id
    from asked_collection
    inner join topics using (collection_key)
    semi join {{ ref('int_judged_topics') }} as judged_topics using (collection_key, topic_key)

),

loaded_judgements as (

    select
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements using (collection_key)

),

-- one row per pair that was judged later. A document that no loaded run returns may be younger than the collection.
later_judgements as (

    select
        judged_topics.topic_key,
        documents.doc_key,
        given.grade
    from query_table(later) as given
    inner join judged_topics using (topic_id)
    inner join documents
        on
            judged_topics.collection_key = documents.collection_key
            and given.doc_id = documents.doc_id

),

-- one row per state of the judgements and pair
graded as (

    select
        'loaded' as state,
        *
    from loaded_judgements
    union all by name
    select
        'later' as state,
        topic_key,
        doc_key,
        coalesce(later_judgements.grade, loaded_judgements.grade) as grade
    from loaded_judgements
    full outer join later_judgements using (topic_key, doc_key)

),

-- the same rows with the meaning of the grade
judgements as (

    select
        asked_collection.collection_key,
        graded.*,
        case
            when {{ is_judged('graded.grade') }}
                then {{ is_relevant('graded.grade', 'asked_collection.relevance_threshold') }}
        end as is_relevant
    from graded
    cross join asked_collection

),

-- one row per state and judged topic
sets as (

    select
        collection_key,
        state,
        topic_key,
        count(is_relevant) as n_judged
    from judgements
    group by all

),

-- one row per run, state and judged topic
lists as (

    select
        sets.collection_key,
        sets.state,
        sets.topic_key,
        runs.run_key
    from sets
    inner join runs using (collection_key)

),

-- the documents of the rankings that are judged in a state
judged_rankings as (

    select
        judgements.state,
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings using (collection_key)
    inner join judgements using (collection_key, topic_key, doc_key)

),

{{ scores_by_measures(measures, by=['state'], treatments=["'nonrelevant'", "'condensed'"]) }},

unpivoted as (

    {{ unpivot_measures('scores', measures) }}

),

-- one row per run and measure: means over the judged topics, answered or not
run_scores as (

    select
        collection_key,
        run_key,
        measure,
        count(distinct topic_key) as n_topics,
        avg(score) filter (where state = 'loaded' and unjudged = 'nonrelevant') as unadjusted,
        avg(score) filter (where state = 'loaded' and unjudged = 'condensed') as condensed,
        avg(score) filter (where state = 'later' and unjudged = 'nonrelevant') as later_score
    from unpivoted
    group by all

),

-- one row per measure and rank: the part of the score that a relevant document at this rank adds, or, by measures whose
-- parts do not add up, the share of its discount
weights as (

    select
        measure,
        rank,
        weight
    from measure_weights
    {% for measure in others %}
        union all
        select
            '{{ measure }}' as measure,
            cast(rank as integer) as rank,
            {{ discounted_gain('rank', 1) }} / sum({{ discounted_gain('rank', 1) }}) over () as weight
        from range(1, {{ parse_measure(measure).cutoff or deepest_cutoff() }} + 1) as ranks (rank)
    {% endfor %}

),

-- one row per run, state and measure: the weights of the documents of its lists, and of the judged ones among them
weighed as (

    select
        lists.run_key,
        lists.state,
        weights.measure,
        sum(weights.weight) as weight
    from lists
    inner join run_topics using (run_key, topic_key)
    inner join weights on run_topics.n_retrieved >= weights.rank
    group by all
    union all
    select
        judged_rankings.run_key,
        judged_rankings.state,
        weights.measure,
        -sum(weights.weight) as weight
    from judged_rankings
    inner join weights using (rank)
    where judged_rankings.is_relevant is not null
    group by all

),

-- one row per run and measure: the weights of the documents that are unjudged in each state, as sums over topics
unjudged_weights as (

    select
        run_key,
        measure,
        {{ comparable("sum(weight) filter (where state = 'loaded')") }} as unjudged,
        {{ comparable("sum(weight) filter (where state = 'later')") }} as unknown
    from weighed
    group by all

),

-- one row per run and measure: the scores with either judgements, and the highest score that unjudged documents leave
-- possible. By measures whose parts do not add up it is not known.
bounded as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        run_scores.n_topics,
        run_scores.unadjusted,
        run_scores.condensed,
        run_scores.later_score as truth_low,
        unjudged_weights.unjudged / run_scores.n_topics as unjudged_weight,
        unjudged_weights.unknown / run_scores.n_topics as unknown_weight,
        not list_contains({{ others }}, run_scores.measure) as is_sum,
        case when is_sum then unadjusted + unjudged_weight else 1 end as highest_before,
        case when is_sum then truth_low + unknown_weight else truth_low end as truth_high
    from run_scores
    inner join unjudged_weights using (run_key, measure)

)

select * from bounded
