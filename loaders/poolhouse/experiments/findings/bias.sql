-- One row per population and width: the bias of a run that is not in the pool, in RBP.
select
    population,
    width,
    avg(mean_bias) filter (where unjudged = 'nonrelevant') as "nonrelevant: mean",
    avg(lower_quartile) filter (where unjudged = 'nonrelevant') as "25 %",
    avg(upper_quartile) filter (where unjudged = 'nonrelevant') as "75 %",
    avg(ratio_to_half_width) filter (where unjudged = 'nonrelevant') as "to half width",
    avg(mean_bias) filter (where unjudged = 'condensed') as "condensed: mean",
    avg(lower_quartile) filter (where unjudged = 'condensed') as "25 % ",
    avg(upper_quartile) filter (where unjudged = 'condensed') as "75 % "
from rpt_webber_park_2009_figure_1
where
    collection_id = $collection
    and measure like 'RBP%'
group by
    population,
    width
order by
    population desc,
    width
