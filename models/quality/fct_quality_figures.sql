{#- What is measured, a small model for each thing that is looked at. All have the same columns. -#}
{%- set models = [
    'int_quality_of_files',
    'int_quality_of_rejected_lines',
    'int_quality_of_judged_lines',
    'int_quality_of_scores',
    'int_quality_of_estimates',
    'int_quality_of_numbers',
    'int_quality_of_runs',
    'int_quality_of_collections',
    'int_quality_of_judgements',
    'int_quality_of_grades',
    'int_quality_of_official_results',
    'int_quality_of_organizations',
    'int_quality_of_authors',
] -%}
{{ config(schema='audits', contract={'enforced': true}) }}

with

{{ imports('quality_figures', *models, collections='raw.collections where ' ~ is_at_hand()) }},

-- one row per collection and figure with values, and for the value of a run or file
measured as (

    {% for model in models %}
        select * from {{ model[4:] }}
        {{ 'union all by name' if not loop.last }}
    {% endfor %}

),

-- one row per collection and figure, or more where runs or files have values; where nothing is measured, no value
figures as (

    select
        collections.collection_id,
        quality_figures.subject,
        quality_figures.figure,
        measured.object,
        coalesce(measured.n_values, 0) as n_values,
        measured.n_unexpected,
        measured.value,
        coalesce(measured.sample, '[]') as sample
    from collections
    cross join quality_figures
    left join measured using (collection_id, figure)

)

select * from figures
