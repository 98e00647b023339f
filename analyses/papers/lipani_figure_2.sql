-- question: Which collections does Lipani's estimate help?
-- about: papers
--
-- Figure 2 of Lipani et al. 2015, for P@10 and P@100: a row per collection and
-- measure of precision, with one organization left out and the subset top_75.
-- generalizability and dependability are the stability of the collection
-- (audits.fct_generalizability); mae_change is the change of the error by the
-- estimator, in per cent. The correlations are Spearman's over the
-- n_collections that have both; null where there are fewer than five
-- (docs/decisions/generalizability.md).
with

{{ imports('fct_generalizability', published='published_lipani_2015_figure_2') }},

errors as (

    select * from {{ ref('fct_estimator_errors') }}
    where
        level = 'organization'
        and subset = 'top_75'
        and unjudged = 'nonrelevant'
        and estimator in ('unadjusted', 'lipani')

),

-- one row per collection and measure that both estimators have
changes as (

    select
        collection_id,
        measure,
        any_value(mae) filter (where estimator = 'unadjusted') as unadjusted_mae,
        any_value(mae) filter (where estimator = 'lipani') as lipani_mae
    from errors
    group by all
    having count(*) = 2

),

-- the dots of the figure
dots as (

    select
        generalizability.collection_id,
        generalizability.measure,
        generalizability.n_runs,
        generalizability.n_topics,
        generalizability.generalizability,
        generalizability.dependability,
        changes.unadjusted_mae,
        changes.lipani_mae,
        100 * (changes.lipani_mae - changes.unadjusted_mae) / nullif(changes.unadjusted_mae, 0) as mae_change
    from generalizability
    inner join changes
        on
            generalizability.collection_id = changes.collection_id
            and generalizability.measure = changes.measure

),

-- the same dots; a dot without a coordinate gets no rank
marked as (

    select
        *,
        mae_change + generalizability + dependability is not null as is_placed
    from dots

),

-- the same dots with their ranks among the dots of the measure
placed as (

    select
        *,
        {% for value in ['mae_change', 'generalizability', 'dependability'] %}
            case when is_placed then {{ midrank(value, 'measure, is_placed') }} end as {{ value }}_place,
        {% endfor %}
        cast(count(*) filter (where is_placed) over (partition by measure) as integer) as n_collections
    from marked

),

-- the same dots with the correlation of these ranks
correlated as (

    select
        *,
        {{ correlation_of_places('mae_change_place', 'generalizability_place', 'measure', 'n_collections') }}
            as generalizability_correlation,
        {{ correlation_of_places('mae_change_place', 'dependability_place', 'measure', 'n_collections') }}
            as dependability_correlation
    from placed

),

compared as (

    select
        correlated.collection_id,
        correlated.measure,
        correlated.n_runs,
        correlated.n_topics,
        correlated.generalizability,
        correlated.dependability,
        correlated.unadjusted_mae,
        correlated.lipani_mae,
        correlated.mae_change,
        correlated.n_collections,
        correlated.generalizability_correlation,
        cast(published.generalizability_correlation as double) as published_generalizability_correlation,
        correlated.dependability_correlation,
        cast(published.dependability_correlation as double) as published_dependability_correlation
    from correlated
    left join published on correlated.measure = published.measure

)

select * from compared
