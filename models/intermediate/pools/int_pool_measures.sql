with

-- one row per subset and measure: the pool in which the bias is estimated. The subset `all` has one pool for every
-- measure (key 0). The subset top_75 has one pool for each measure, because the best runs depend on the measure.
pool_measures as (

    {% for measure in bias_measures() %}
        {% set pool_key = loop.index %}
        {% set is_last = loop.last %}
        {% for subset in ['all', 'top_75'] %}
            select
                {{ 0 if subset == 'all' else pool_key }} as pool_key,
                '{{ subset }}' as subset,
                '{{ measure.id }}' as measure,
                '{{ measure.name }}' as measure_name,
                {{ measure.cutoff }} as cutoff
            {{ 'union all' if not (loop.last and is_last) }}
        {% endfor %}
    {% endfor %}

)

select * from pool_measures
