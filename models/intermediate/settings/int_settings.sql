{%- set rows = [] -%}
{%- for name in [
    'measures',
    'bias_measures',
    'trec_eval',
    'top_subset_share',
    'lipani_alpha',
    'lipani_tie_rule',
    'truth_beyond_depth',
    'ranks_per_tolerated_gap',
    'experiment_measures',
    'best_manual_runs',
    'best_manual_measure',
] -%}
    {%- set chosen = var(name) -%}
    {%- for value in (chosen if chosen is iterable and chosen is not string else [chosen]) -%}
        {%- set literal = "'" ~ (value | string | replace("'", "''")) ~ "'" -%}
        {%- do rows.append("('" ~ name ~ "', " ~ loop.index ~ ', ' ~ literal ~ ')') -%}
    {%- endfor -%}
{%- endfor -%}

with

settings (name, position, value) as (

    values
    {{ rows | join(',\n    ') }}

)

select * from settings
