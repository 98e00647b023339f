{{ config(arguments=['collection']) }}
-- The grades of documents that nobody judged, from those of the documents that few organizations contributed.

with

{{ imports('int_pool_runs where pool_key = 0', asked_collection='int_collections where collection_id = collection') }},

-- the judgements of the qrels
qrels as (

    select
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_relevant
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements using (collection_key)
    where judgements.is_judged

),

levels as (

    select unnest(range(1, max(grade) + 1)) as level
    from qrels

),

-- one row per judgement, level and sole organization (none if several contributed): the rare documents, which at most
-- two contributed, and those of two or more
graded as (

    select
        qrels.is_relevant,
        levels.level,
        pool_documents.sole_organization_key,
        count(*) filter (where pool_documents.n_organizations <= 2) as n_rare,
        count(*) filter (where pool_documents.n_organizations <= 2 and qrels.grade >= levels.level) as n_rare_of_level,
        count(*) filter (where pool_documents.n_organizations > 1) as n_shared,
        count(*) filter (where pool_documents.n_organizations > 1 and qrels.grade >= levels.level) as n_shared_of_level
    from asked_collection
    inner join {{ ref('int_pool_documents') }} as pool_documents using (collection_key)
    inner join qrels using (topic_key, doc_key)
    cross join levels
    where pool_documents.pool_key = 0
    group by all

),

-- the organizations that leave: each organization of the pool, and none
leaving as (

    select distinct pool_runs.organization_key as left_out_organization_key
    from asked_collection
    inner join pool_runs using (collection_key)
    union all
    select null as left_out_organization_key

),

-- one row per organization that leaves (none if none does) and level: how probable it is that a document has this grade
-- at least, if it is relevant and if it is not. What the organization alone contributed is not known.
grades as (

    select
        leaving.left_out_organization_key,
        {% for name, is_relevant in [('relevant', 'graded.is_relevant'), ('others', 'not graded.is_relevant')] %}
            {%- set sums = {} -%}
            {%- for each in ['n_rare_of_level', 'n_rare', 'n_shared_of_level', 'n_shared'] -%}
                {%- do sums.update({
                    each: 'coalesce(sum(graded.' ~ each ~ ') filter (where ' ~ is_relevant ~ '), 0)'
                }) -%}
            {%- endfor %}
            {{ share_with_prior(
                sums.n_rare_of_level, sums.n_rare,
                'coalesce(' ~ sums.n_shared_of_level ~ ' / nullif(' ~ sums.n_shared ~ ', 0), 0)', documents_of_the_prior()
            ) }} as share_of_{{ name }},
        {% endfor %}
        levels.level
    from leaving
    cross join levels
    left join graded
        on
            levels.level = graded.level
            and coalesce(leaving.left_out_organization_key <> graded.sole_organization_key, true)
    group by all

)

select * from grades
