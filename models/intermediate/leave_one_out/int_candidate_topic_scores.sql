with

{{ imports('int_candidate_views') }},

-- one row per candidate, topic, level, measure and view
scores as (

    {% for view in views_of_candidates() %}
        select
            collection_key,
            pool_key,
            run_key,
            topic_key,
            level,
            '{{ view.judged_by }}' as judged_by,
            '{{ view.unjudged }}' as unjudged,
            measure,
            {{ view.name }}_score as score,
            {{ view.name }}_anti_score as anti_score,
            {{ view.name }}_n_judged as n_judged
        from candidate_views
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from scores
