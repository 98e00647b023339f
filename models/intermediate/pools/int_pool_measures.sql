with

-- one row per subset and measure: whose bias is estimated in which pool. The subset `all` has one pool for
-- every measure (key 0), the subset top_75 one for each, since other measures have other best runs
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
