-- One row per population, treatment and width: the bias of a run that is not in the pool, in RBP.
select
    population,
    unjudged,
    width,
    avg(mean_bias) as "mean",
    avg(lower_quartile) as "25 %",
    avg(upper_quartile) as "75 %",
    avg(ratio_to_half_width) as "to half width"
from webber_park_figure_1
where
    collection_id = $collection
    and measure like 'RBP%'
group by
    population,
    unjudged,
    width
order by
    population desc,
    unjudged desc,
    width
