{#- Unjudged documents that take the label of an author (docs/filling.md). -#}

{#- The names of the estimators, before the name of the author. -#}
{% macro filled_by() -%}
    filled_by_
{%- endmacro %}

{% macro rectified_by() -%}
    rectified_by_
{%- endmacro %}

{#- Whether an estimator reads the labels of an author, which it does not have for every document. -#}
{% macro is_by_labels(estimator) -%}
    (starts_with({{ estimator }}, '{{ filled_by() }}') or starts_with({{ estimator }}, '{{ rectified_by() }}'))
{%- endmacro %}

{#- The share of the unjudged documents of a run that an author must have labelled, for an estimate by the labels. -#}
{% macro least_labelled_share() -%}
    0.95
{%- endmacro %}

{#-
    Columns that estimate what labels miss for each unit of unjudged weight, from one row per other contributor: a ratio
    of sums, whose error varies in proportion to the weight (Royall 1970; Cochran, Sampling Techniques, third edition
    1977, section 6.7). `variation` is the variance of a contributor for each unit of weight, null for a single one.
-#}
{% macro missed_share_columns(missed_gain, unjudged_weight) -%}
    sum({{ missed_gain }}) / sum({{ unjudged_weight }}) as missed_share,
        sum({{ unjudged_weight }}) as unjudged_weight,
        list_sum(list_transform(
            list({'missed': {{ missed_gain }}, 'weight': {{ unjudged_weight }}}),
            lambda each : pow(
                each.missed - sum({{ missed_gain }}) / sum({{ unjudged_weight }}) * each.weight, 2
            ) / each.weight
        )) / nullif(count(*) - 1, 0) as variation,
        cast(count(*) as integer) as n_contributors
{%- endmacro %}

{#-
    The standard error of a rectified score: how far the documents of the run themselves are from the share, and how
    far the share is from that of all contributors.
-#}
{% macro rectified_standard_error(unjudged_weight, missed) -%}
    sqrt(
            {{ missed }}.variation * {{ unjudged_weight }} * (1 + {{ unjudged_weight }} / {{ missed }}.unjudged_weight)
        )
{%- endmacro %}

{#- Whether the requested measure has an expected score. -#}
{% macro has_expected_score() -%}
    regexp_full_match(asked, '{{ pattern_of_expected_measures() }}')
{%- endmacro %}

{#-
    The CTE `estimates`: one row per estimator and pooled run, with the estimate of its score by the requested measure
    when its organization has left. The CTEs read the arguments `collection` and `asked`.
-#}
{% macro estimates_of_filling() -%}
{{ t_quantiles() }},

{{ scores_with_labels('null') }},

-- one row per pooled run
pooled as (

    select
        run_key,
        run_id,
        organization_key,
        unjudged_share,
        true_score,
        unpooled_score
    from filled
    qualify row_number() over (partition by run_key order by author_key) = 1

),

-- the runs with an expected score
expected as (

    select
        pooled.*,
        expected_scores.expected_score,
        expected_scores.t_68_high - expected_scores.expected_score as margin_68,
        expected_scores.t_95_high - expected_scores.expected_score as margin_95
    from pooled
    inner join {{ ref('int_asked_expected_scores') }}(collection, asked, is_required := false) as expected_scores
        on pooled.run_id = expected_scores.run_id
    where {{ has_expected_score() }}

),

-- one row per estimator and pooled run, with half the length of its intervals
estimated as (

    {%- set common = ['run_key', 'organization_key', 'unjudged_share', 'true_score'] %}
    select
        {{ common | join(',\n        ') }},
        'unadjusted' as estimator,
        null as author,
        unpooled_score as estimate,
        cast(null as double) as margin_68,
        cast(null as double) as margin_95
    from pooled
    union all
    select
        {{ common | join(',\n        ') }},
        'expected_relevance' as estimator,
        null as author,
        expected_score as estimate,
        margin_68,
        margin_95
    from expected
    union all
    select
        {{ common | join(',\n        ') }},
        concat('{{ filled_by() }}', author) as estimator,
        author,
        filled_score as estimate,
        null as margin_68,
        null as margin_95
    from filled
    union all
    select
        {{ common | join(',\n        ') }},
        concat('{{ rectified_by() }}', author) as estimator,
        author,
        filled.rectified_score as estimate,
        t_quantiles.t_68 * filled.standard_error as margin_68,
        t_quantiles.t_95 * filled.standard_error as margin_95
    from filled
    left join t_quantiles on {{ has_t_quantiles('filled.degrees_of_freedom') }}
    where filled.rectified_score is not null

),

-- the same rows with the error; float noise does not count
estimates as (

    select
        *,
        {{ comparable('true_score') }} as true_value,
        {{ comparable('estimate') }} as estimated_value,
        estimate - true_score as error
    from estimated
    where true_score is not null

)
{%- endmacro %}

{#-
    The CTE `filled`: one row per author and pooled run, with its scores by the requested measure: with all judgements,
    without those that its organization alone contributed, and with labels in their place. The CTEs read the arguments
    `collection` and `asked`; `author` is the name of an author, or null for each author other than the reference.
-#}
{% macro scores_with_labels(author) -%}
filled_topic_scores as (

    select * from {{ ref('int_filled_topic_scores') }}(collection, asked, {{ author }})

),

-- the scores with all judgements, and without those that the organization alone contributed
{% for judgement_set in ['full', 'without_organization'] -%}
scores_{{ judgement_set }} as (

    select
        run_id,
        topic_id,
        score
    from {{ ref('int_asked_topic_scores') }}(collection, asked, judgement_set := '{{ judgement_set }}')

),

{% endfor -%}
-- one row per author, pooled run and judged topic
compared as (

    select
        filled_topic_scores.*,
        runs.run_id,
        scores_full.score as true_score,
        scores_without_organization.score as unpooled_score
    from filled_topic_scores
    inner join {{ ref('int_runs') }} as runs on filled_topic_scores.run_key = runs.run_key
    inner join {{ ref('int_topics') }} as topics
        on
            filled_topic_scores.collection_key = topics.collection_key
            and filled_topic_scores.topic_key = topics.topic_key
    inner join scores_full
        on
            runs.run_id = scores_full.run_id
            and topics.topic_id = scores_full.topic_id
    inner join scores_without_organization
        on
            runs.run_id = scores_without_organization.run_id
            and topics.topic_id = scores_without_organization.topic_id

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
    left join {{ ref('measures') }} as measures on measures.name = {{ asked_name('asked') }}
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
    from {{ ref('int_pooled_runs') }}

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
    inner join depths on run_scores.run_key = depths.run_key
    inner join {{ ref('int_contributed_rankings') }} as contributed_rankings
        on
            run_scores.collection_key = contributed_rankings.collection_key
            and run_scores.run_key = contributed_rankings.run_key
            and depths.organization_key = contributed_rankings.sole_organization_key
            and depths.depth >= contributed_rankings.rank
    left join {{ ref('int_author_judgements') }} as author_judgements
        on
            run_scores.collection_key = author_judgements.collection_key
            and run_scores.author_key = author_judgements.author_key
            and contributed_rankings.topic_key = author_judgements.topic_key
            and contributed_rankings.doc_key = author_judgements.doc_key
    where contributed_rankings.is_relevant is not null
    group by
        run_scores.author_key,
        run_scores.run_key

),

-- the same rows as runs, with the share of these documents
shares as (

    select
        run_scores.*,
        coalesce(lost.n_unjudged / (lost.depth * nullif(run_scores.n_topics, 0)), 0) as unjudged_share,
        lost.n_labelled / lost.n_unjudged as labelled_share
    from run_scores
    left join lost
        on
            run_scores.author_key = lost.author_key
            and run_scores.run_key = lost.run_key

),

-- one row per author and organization that has such documents: means over its runs of their share, and of what the
-- filled scores miss
labelled_organizations as (

    select
        author_key,
        organization_key,
        avg(unjudged_share) as unjudged_weight,
        avg(true_score - filled_score) as missed_gain
    from shares
    where unjudged_share > 0
    group by
        author_key,
        organization_key

),

-- one row per author and run: what the filled scores of other organizations miss, for each unit of their share
missed as (

    select
        shares.author_key,
        shares.run_key,
        {{ missed_share_columns('labelled_organizations.missed_gain', 'labelled_organizations.unjudged_weight') }}
    from shares
    inner join labelled_organizations
        on
            shares.author_key = labelled_organizations.author_key
            and shares.organization_key <> labelled_organizations.organization_key
    group by
        shares.author_key,
        shares.run_key

),

-- one row per author and pooled run
filled as materialized (

    select
        shares.*,
        shares.filled_score + shares.unjudged_share * missed.missed_share as rectified_score,
        {{ rectified_standard_error('shares.unjudged_share', 'missed') }} as standard_error,
        missed.n_contributors - 1 as degrees_of_freedom
    from shares
    left join missed
        on
            shares.author_key = missed.author_key
            and shares.run_key = missed.run_key

)
{%- endmacro %}
