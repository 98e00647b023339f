with

-- one row per subset and measure; the subset `all` has one pool for every measure (key 0), the
-- subset top_75 one for each, since other measures have other best runs
designs as (

    {% for measure in bias_measures() -%}
    select
        'all' as subset,
        '{{ measure.id }}' as measure,
        '{{ measure.name }}' as measure_name,
        {{ measure.cutoff }} as cutoff,
        0 as pool_key
    union all
    select
        'top_75' as subset,
        '{{ measure.id }}' as measure,
        '{{ measure.name }}' as measure_name,
        {{ measure.cutoff }} as cutoff,
        {{ loop.index }} as pool_key
    {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from designs
