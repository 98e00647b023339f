{{ config(materialized='own_macro', meta={'is_checked': true}, arguments=[
    'collection', 'asked', 'run_ids', 'new_rankings', 'new_relevance', 'topic_scores', 'unjudged_grades',
    "is_required := true"
]) }}
-- The unjudged documents of two runs, and what judging each is expected to take from the variance of the difference of their
-- scores (int_asked_expected_pairs). The runs are those of int_expected_comparisons.

with

{{ imports('quantiles', 'int_collections', 'int_judged_topics', 'int_topics', 'int_documents') }},

{{ expected_of_asked_runs() }},

{{ normal_quantiles() }},

{{ steps(['int_asked_expected_parts'], given_of_expected_scores(), stored_of_expected_scores()) }},

-- one row: the number of topics of a mean
means as (

    select count(*) as n_topics
    from asked_collection
    inner join judged_topics using (collection_key)

),

-- one row per run and topic; what the second run scores is taken from the difference
lists as (

    select
        topic_key,
        run_id = min(run_id) over () as is_first,
        case when is_first then 1 else -1 end as side,
        side * scale as scale,
        side * coalesce(dilution, 0) as dilution,
        documents
    from int_asked_expected_parts
    where target = 'if_judged'

),

-- one row per topic: what every relevant document takes from the difference
surpluses as (

    select
        topic_key,
        sum(dilution) as surplus
    from lists
    group by topic_key

),

-- the unjudged documents of both runs down to the cutoff
in_lists as (

    select
        topic_key,
        is_first,
        unnest(documents) as document,
        {% for name in ['doc_key', 'weight', 'probability', 'variance', 'ci_95_high'] %}
            document['{{ name }}'] as {{ name }},
        {% endfor %}
        scale
    from lists

),

-- one row per unjudged document: a document of both runs has one probability, and either run moves it by half
parts as (

    select
        in_lists.topic_key,
        in_lists.doc_key,
        sum(in_lists.scale * in_lists.weight) - any_value(surpluses.surplus) as part,
        avg(in_lists.probability) as probability,
        avg(in_lists.variance) + var_pop(in_lists.probability) as variance,
        {% for side, is_of_side in [('', 'in_lists.is_first'), ('other_', 'not in_lists.is_first')] %}
            coalesce(
                sum(in_lists.ci_95_high - in_lists.probability) filter (where {{ is_of_side }}) / count(*), 0
            ) as {{ side }}raised,
        {% endfor %}
        count(*) as n_lists
    from in_lists
    inner join surpluses using (topic_key)
    group by all

),

-- the same rows with the variance of each, and how far it moves the difference if the probabilities of a run are too low
moved as (

    select
        parts.*,
        pow(parts.part / means.n_topics, 2) * parts.variance as document_variance
        {%- for side in ['', 'other_'] %},
            parts.part * parts.{{ side }}raised / normal_quantiles.quantile_95 / means.n_topics as {{ side }}moved
        {%- endfor %}
    from parts
    cross join means
    cross join normal_quantiles

),

-- the same rows with the variance that goes if a document is judged
reductions as (

    select
        *,
        document_variance
        {%- for side in ['', 'other_'] %}
            + pow(sum({{ side }}moved) over (), 2) - pow(sum({{ side }}moved) over () - {{ side }}moved, 2)
        {%- endfor %} as reduction
    from moved

),

new_names as (

    select distinct
        doc_key,
        doc_id
    from new_documents

),

-- the same rows with their names
named as (

    select
        topics.topic_id,
        coalesce(documents.doc_id, new_names.doc_id) as doc_id,
        documents.doc_id is not null as is_known,
        reductions.* exclude (topic_key, doc_key)
    from asked_collection
    inner join topics using (collection_key)
    inner join reductions using (topic_key)
    left join documents
        on
            asked_collection.collection_key = documents.collection_key
            and reductions.doc_key = documents.doc_key
    left join new_names on reductions.doc_key = new_names.doc_key

)

select * from named
