{{ config(materialized='table') }}

with

{{ imports('int_candidates', 'int_document_support', examples='int_relevance_examples') }},

-- one row per pool: the limits between classes with equally many documents, without float noise
limits as (

    select
        collection_key,
        pool_key,
        list_transform(
            quantile_cont(
                {{ compared_support('support', 'overlap') }},
                [{% for number in range(1, n_support_classes() | int) -%}
                    {{ number / (n_support_classes() | int) }}{{ ', ' if not loop.last }}
                {%- endfor %}]
            ),
            lambda support_limit: {{ comparable('support_limit') }}
        ) as support_limits
    from examples
    where other_organization_key is null
    group by all

),

-- one row per pool and organization that leaves it with a candidate; none leaves with a run outside of the pool of all
-- pooled runs
leaving as (

    select distinct
        collection_key,
        pool_key,
        organization_key
    from candidates
    where is_member
    union all
    select
        collection_key,
        pool_key,
        0 as organization_key
    from limits
    where pool_key = 0

),

-- the documents that the pool without the leaving organization has from one organization alone: the documents of a
-- sole contributor, and the documents that the leaving organization shared with one other
left_over as (

    select
        examples.* exclude (other_organization_key),
        leaving.organization_key as left_out_organization_key
    from examples
    inner join leaving
        on
            examples.collection_key = leaving.collection_key
            and examples.pool_key = leaving.pool_key
            and examples.organization_key <> leaving.organization_key
            and coalesce(examples.other_organization_key = leaving.organization_key, true)

),

-- the same rows, with the class by support without the leaving organization
classed as (

    select
        left_over.*,
        limits.support_limits,
        {{ support_class(
            'limits.support_limits', '(left_over.support - coalesce(document_support.support, 0))', 'left_over.overlap'
        ) }} as support_class
    from left_over
    inner join limits using (collection_key, pool_key)
    left join document_support
        on
            left_over.collection_key = document_support.collection_key
            and left_over.pool_key = document_support.pool_key
            and left_over.topic_key = document_support.topic_key
            and left_over.doc_key = document_support.doc_key
            and left_over.left_out_organization_key = document_support.organization_key

),

-- one row per pool, leaving organization and class with a document
classes as (

    select
        collection_key,
        pool_key,
        left_out_organization_key,
        support_limits,
        support_class,
        sum(n_contributions) as n_contributions,
        coalesce(sum(n_contributions) filter (where is_relevant), 0) as n_relevant,
        sum(precision_product) as precision_product
    from classed
    group by all

),

-- one row per pool and leaving organization: the factor of all classes, and the mean product of precisions
of_all_classes as (

    select
        collection_key,
        pool_key,
        left_out_organization_key,
        any_value(support_limits) as support_limits,
        sum(n_relevant) / nullif(sum(precision_product), 0) as factor,
        sum(precision_product) / sum(n_contributions) as mean_product
    from classes
    group by all

),

numbers as (

    select cast(number as integer) as support_class
    from range({{ n_support_classes() }}) as listed (number)

),

-- one row per pool, leaving organization and class: relevant documents over the number that the precisions expect,
-- with the factor of all classes as the prior
factors as (

    select
        of_all_classes.collection_key,
        of_all_classes.pool_key,
        of_all_classes.left_out_organization_key,
        of_all_classes.support_limits,
        numbers.support_class,
        (
            coalesce(classes.n_relevant, 0)
            + {{ documents_of_the_prior() }} * of_all_classes.factor * of_all_classes.mean_product
        ) / nullif(
            coalesce(classes.precision_product, 0) + {{ documents_of_the_prior() }} * of_all_classes.mean_product, 0
        ) as factor
    from of_all_classes
    cross join numbers
    left join classes using (collection_key, pool_key, left_out_organization_key, support_class)

)

select * from factors
