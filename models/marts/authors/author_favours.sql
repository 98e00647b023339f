{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', 'author := null', 'n_samples := 1000', 'seed := 2008'],
        contract={'enforced': false},
    )
}}
-- The arguments have the names of columns:
-- noqa: disable=RF03,AL09

with

-- one row per author or mixture, run, and topic that the author and the reference judged
topic_scores as materialized (

    select
        author_scores.author as name,
        author_scores.run_id,
        author_scores.topic_id,
        author_scores.score,
        truth.score as true_score
    from {{ ref('author_topic_scores') }}(collection, asked, author) as author_scores
    inner join {{ ref('author_topic_scores') }}(collection, asked, '{{ reference_author() }}') as truth
        on
            author_scores.run_id = truth.run_id
            and author_scores.topic_id = truth.topic_id

),

-- one row per author and run: its scores by topic, as lists, because a sample of topics is a list of counts
score_lists as (

    select
        name,
        run_id,
        list(score order by topic_id) as scores,
        list(true_score order by topic_id) as true_scores,
        count(*) as n_topics
    from topic_scores
    group by
        name,
        run_id

),

-- one row per number of topics of an author
sizes as (

    select distinct n_topics from score_lists

),

-- numbers of topics, and of draws
numbers as (

    select unnest(range(1, max(n_topics) + 1)) as number
    from sizes

),

-- one row per number of topics and sample, topic by topic: how often the topic was drawn, with replacement. Sample 0 has
-- every topic once. The same seed draws the same topics.
drawn_topics as (

    select
        sizes.n_topics,
        samples.sample,
        topics.number as nth_topic,
        count(draws.number) as n_drawn
    from sizes
    cross join range(1, n_samples + 1) as samples (sample)
    inner join numbers as topics on sizes.n_topics >= topics.number
    left join numbers as draws
        on
            sizes.n_topics >= draws.number
            and topics.number = hash(seed, samples.sample, draws.number) % sizes.n_topics + 1
    group by
        sizes.n_topics,
        samples.sample,
        topics.number
    union all
    select
        sizes.n_topics,
        0 as sample,
        topics.number as nth_topic,
        1 as n_drawn
    from sizes
    inner join numbers as topics on sizes.n_topics >= topics.number

),

-- one row per sample: the counts of all topics
count_lists as (

    select
        n_topics,
        sample,
        list(cast(n_drawn as double) order by nth_topic) as counts
    from drawn_topics
    group by
        n_topics,
        sample

),

-- one row per sample, author and run: its places by the author and by the reference; tied runs share their places
placed as (

    select
        name,
        sample,
        run_id,
        {{ mean_place('score', 'name, sample') }} as place,
        {{ mean_place('true_score', 'name, sample') }} as true_place,
        n_topics
    from (
        select
            score_lists.name,
            count_lists.sample,
            score_lists.run_id,
            score_lists.n_topics,
            list_dot_product(score_lists.scores, count_lists.counts) / score_lists.n_topics as score,
            list_dot_product(score_lists.true_scores, count_lists.counts) / score_lists.n_topics as true_score
        from score_lists
        inner join count_lists on score_lists.n_topics = count_lists.n_topics
    ) as sampled_scores

),

-- one row per run and group that it is in
groups as (

    select
        all_runs.run_id,
        unnest(['organization', 'run_type']) as grouped_by,
        unnest([all_runs.organization, all_runs.run_type]) as group_name
    from {{ ref('int_runs') }} as all_runs
    inner join {{ ref('int_collections') }} as collections on all_runs.collection_key = collections.collection_key
    where collections.collection_id = collection

),

-- one row per sample, author and group: the mean of the places that its runs win by the author
of_groups as (

    select
        placed.name,
        placed.sample,
        groups.grouped_by,
        groups.group_name,
        count(*) as n_runs,
        any_value(placed.n_topics) as n_topics,
        avg(placed.true_place - placed.place) as places_won
    from placed
    inner join groups on placed.run_id = groups.run_id
    where groups.group_name is not null
    group by
        placed.name,
        placed.sample,
        groups.grouped_by,
        groups.group_name

),

-- the author of the qrels, who favours nobody by definition
reference_authors as (

    select authors.author as name
    from {{ ref('int_authors') }} as authors
    inner join {{ ref('int_collections') }} as collections on authors.collection_key = collections.collection_key
    where
        collections.collection_id = collection
        and authors.is_reference

),

-- one row per author and group, with the percentiles of the samples
named as (

    select
        collection as collection_id,
        of_groups.name as author,
        asked as measure,
        of_groups.grouped_by,
        of_groups.group_name,
        cast(max(of_groups.n_runs) as integer) as n_runs,
        max(of_groups.places_won) filter (where of_groups.sample = 0) as places_won,
        -- topics vary only where there are several
        quantile_cont(of_groups.places_won, 0.025) filter (
            where of_groups.sample > 0 and of_groups.n_topics > 1
        ) as bootstrap_95_low,
        quantile_cont(of_groups.places_won, 0.975) filter (
            where of_groups.sample > 0 and of_groups.n_topics > 1
        ) as bootstrap_95_high
    from of_groups
    where of_groups.name not in (select reference_authors.name from reference_authors)
    group by
        of_groups.name,
        of_groups.grouped_by,
        of_groups.group_name

)

select * from named
