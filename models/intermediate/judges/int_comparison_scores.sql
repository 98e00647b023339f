{{ config(materialized='table') }}

with

{{ imports('int_label_comparisons', 'int_rankings', 'int_runs', 'int_collections', 'measures') }},

{{ labels_of_both_sides('relevance = 1', 'other_relevance = 1') }},

{{ rankings_by_labels(comparison_keys(), is_imported=true) }},

{{ scores_by_measures(leaderboard_measures().keys() | list, by=comparison_keys()) }},

-- the same rows with the score by the main measure
main_scores as (

    select
        {{ keys_of_set('scores', comparison_keys()) }}
        scores.collection_key,
        scores.run_key,
        scores.topic_key,
        {{ asked_name('collections.main_measure') }} as measure,
        case collections.main_measure
            {%- for name in leaderboard_measures() %}
                when '{{ name }}' then scores."{{ name }}"
            {%- endfor %}
        end as score
    from scores
    inner join collections using (collection_key)

),

{{ scores_of_both_sides('main_scores') }}

select * from both_scores
