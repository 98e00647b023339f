{#-
    One row per run, topic that it answers and depth: the documents down to the depth, and the judged ones among these. The
    CTE reads `run_topics`, `judged_rankings` and `depths`, which has the depth of each measure.
-#}
{% macro top_documents() -%}
top_documents as (

    select
        run_topics.run_key,
        run_topics.topic_key,
        of_measures.depth,
        least(run_topics.n_retrieved, of_measures.depth) as n_top_documents,
        count(judged_rankings.is_relevant) as n_judged
    from run_topics
    cross join (select distinct depths.depth from depths) as of_measures
    left join judged_rankings
        on
            run_topics.run_key = judged_rankings.run_key
            and run_topics.topic_key = judged_rankings.topic_key
            and judged_rankings.rank <= of_measures.depth
    group by all

)
{%- endmacro %}
