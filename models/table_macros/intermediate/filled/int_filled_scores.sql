{{ config(arguments=['collection', 'asked', 'asked_author']) }}
-- The scores of pooled runs with all judgements, without those that their organizations alone contributed, and with the
-- labels of an author in their place, or of each author where `asked_author` is null.

with

{{ imports(
    'int_runs', 'int_topics', 'measures', 'int_pooled_runs', 'int_contributed_rankings', 'int_author_judgements'
) }},

filled_topic_scores as (

    select * from {{ ref('int_filled_topic_scores') }}(collection, asked, asked_author)

),

-- the scores with all judgements, and without those that the organization alone contributed
{% for judgement_set in ['full', 'without_organization'] %}
    scores_{{ judgement_set }} as (

        select
            run_id,
            topic_id,
            score
        from {{ ref('int_asked_topic_scores') }}(collection, asked, judgement_set := '{{ judgement_set }}')

    ),
{% endfor %}

-- one row per author, pooled run and judged topic
compared as (

    select
        filled_topic_scores.*,
        runs.run_id,
        scores_full.score as true_score,
        scores_without_organization.score as unpooled_score
    from filled_topic_scores
    inner join runs using (run_key)
    inner join topics
        on
            filled_topic_scores.collection_key = topics.collection_key
            and filled_topic_scores.topic_key = topics.topic_key
    inner join scores_full using (run_id, topic_id)
    inner join scores_without_organization using (run_id, topic_id)

),

-- one row per author and pooled run: its scores over the topics that it answers
run_scores as (

    select
        compared.collection_key,
        compared.author_key,
        compared.author,
        compared.run_key,
        compared.run_id,
        compared.organization_key,
        {% for score in ['true_score', 'unpooled_score'] %}
            {{ over_topics('compared.' ~ score, 'measures.aggregation', 'compared.is_answered') }} as {{ score }},
        {% endfor %}
        {{ over_topics('compared.score', 'measures.aggregation', 'compared.is_answered') }} as filled_score,
        cast(count(*) filter (where compared.is_answered) as integer) as n_topics
    from compared
    left join measures on measures.name = {{ asked_name('asked') }}
    group by all

),

-- one row per pooled run: the rank down to which its documents count, which is the cutoff of the measure, or the pool
-- depth where it has none
depths as (

    select
        run_key,
        collection_key,
        organization_key,
        case
            when {{ asked_cutoff('asked') }} < {{ asked_cutoff("''") }} then {{ asked_cutoff('asked') }}
            else cast(pool_depth as double)
        end as depth
    from pooled_runs

),

-- one row per author and pooled run: the documents down to this rank that lose their judgement, and those among them
-- that the author labelled
lost as (

    select
        run_scores.author_key,
        run_scores.run_key,
        count(*) as n_unjudged,
        count(*) filter (where author_judgements.is_judged) as n_labelled,
        any_value(depths.depth) as depth
    from run_scores
    inner join depths using (run_key)
    inner join contributed_rankings
        on
            run_scores.collection_key = contributed_rankings.collection_key
            and run_scores.run_key = contributed_rankings.run_key
            and depths.organization_key = contributed_rankings.sole_organization_key
            and depths.depth >= contributed_rankings.rank
    left join author_judgements
        on
            run_scores.collection_key = author_judgements.collection_key
            and run_scores.author_key = author_judgements.author_key
            and contributed_rankings.topic_key = author_judgements.topic_key
            and contributed_rankings.doc_key = author_judgements.doc_key
    where contributed_rankings.is_relevant is not null
    group by all

),

-- the same rows as runs, with the share of these documents
shares as (

    select
        run_scores.*,
        coalesce(lost.n_unjudged / (lost.depth * nullif(run_scores.n_topics, 0)), 0) as unjudged_share,
        lost.n_labelled / lost.n_unjudged as labelled_share
    from run_scores
    left join lost using (author_key, run_key)

),

-- one row per author and organization that has such documents: means over its runs of their share, and of what the
-- filled scores miss
labelled_organizations as (

    select
        author_key,
        organization_key,
        avg(unjudged_share) as unjudged_weight,
        avg(true_score - filled_score) as missed_gain,
        avg(pow(true_score - filled_score, 2) / unjudged_share) as squared_gain
    from shares
    where unjudged_share > 0
    group by all

),

-- one row per author and run: what the filled scores of other organizations miss, for each unit of their share
missed as (

    select
        shares.author_key,
        shares.run_key,
        {{ missed_share_columns('labelled_organizations') }}
    from shares
    inner join labelled_organizations
        on
            shares.author_key = labelled_organizations.author_key
            and shares.organization_key <> labelled_organizations.organization_key
    group by all

),

-- one row per author and pooled run
filled as (

    select
        shares.*,
        shares.filled_score + shares.unjudged_share * missed.missed_share as rectified_score,
        {{ rectified_standard_error('shares.unjudged_share', 'missed') }} as standard_error,
        missed.degrees_of_freedom
    from shares
    left join missed using (author_key, run_key)

)

select * from filled
