{%- set signatures = measure_signatures() -%}
{%- set names = [] -%}

with

{{ imports('measures') }},

-- the measures that are materialized; the names are numbered as they occur in the variable `measures`
materialized_measures (name_number, measure, name, relevance_level, cutoff, recall_level) as (

    values
    {% for measure_id in var('measures') %}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- do names.append(parsed.name) -%}
        {%- set is_recall_level = signatures[parsed.name].cutoff in ('recall', 'multiple') -%}
        (
            {{ names.index(parsed.name) }},
            '{{ measure_id }}',
            '{{ parsed.name }}',
            cast({{ parsed.parameters.rel or 'null' }} as integer),
            cast({{ 'null' if is_recall_level else parsed.cutoff or 'null' }} as integer),
            cast({{ parsed.cutoff if is_recall_level else 'null' }} as double)
        ){{ ',' if not loop.last }}
    {% endfor %}

),

-- the same rows with the facts of the seed
described as (

    select
        materialized_measures.* exclude (name_number),
        cast(row_number() over (
            order by
                materialized_measures.name_number,
                materialized_measures.relevance_level nulls first,
                materialized_measures.cutoff nulls first,
                materialized_measures.recall_level,
                materialized_measures.measure
        ) as integer) as position,
        measures.family,
        measures.title,
        measures.formula,
        measures.aggregation,
        measures.lower_bound,
        measures.upper_bound,
        measures.is_recall_normalized,
        {{ trec_eval_name(
            'measures',
            'materialized_measures.cutoff',
            'materialized_measures.recall_level',
            'materialized_measures.relevance_level'
        ) }} as trec_eval_name,
        measures.reference,
        measures.source
    from materialized_measures
    left join measures using (name)

)

select * from described
