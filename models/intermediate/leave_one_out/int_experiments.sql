with

-- one row per subset and measure; the subset `all` has one pool for every measure (key 0), the
-- subset top_75 one for each, since other measures have other best runs
experiments as (

    {% for measure in bias_measures() %}
        {% set pool_key = loop.index %}
        {% set is_last = loop.last %}
        {% for subset in ['all', 'top_75'] %}
            select
                '{{ subset }}' as subset,
                '{{ measure.id }}' as measure,
                '{{ measure.name }}' as measure_name,
                {{ measure.cutoff }} as cutoff,
                {{ 0 if subset == 'all' else pool_key }} as pool_key
            {{ 'union all' if not (loop.last and is_last) }}
        {% endfor %}
    {% endfor %}

)

select * from experiments
