{{ config(arguments=['collection', 'asked']) }}

with

{{ imports('quantiles', 'int_authors') }},

{{ t_quantiles() }},

int_comparison_scores as materialized (

    select * from {{ ref('int_asked_comparison_scores') }}(collection, asked)

),

{{ steps(['int_favours'], given=['int_comparison_scores']) }},

named as (

    select
        collection as collection_id,
        authors.author,
        asked as measure,
        favours.grouped_by,
        favours.group_name,
        cast(favours.n_runs as integer) as n_runs,
        favours.says_it_uses_model,
        favours.score,
        favours.true_score as reference_score,
        favours.place,
        favours.true_place as reference_place,
        favours.true_place - favours.place as places_won,
        favours.score_won,
        {{ interval_of_95('favours.score_won', 'favours.standard_error', 't_quantiles', 't_95') }},
        favours.standard_error
    from int_favours as favours
    inner join authors
        on
            favours.collection_key = authors.collection_key
            and favours.compared_author_key = authors.author_key
    left join t_quantiles on {{ has_t_quantiles('favours.n_topics - 1') }}

)

select * from named
