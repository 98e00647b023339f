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

-- one row per topic of an author, with a number from 1
topics as (

    select
        name,
        topic_id,
        row_number() over (partition by name order by topic_id) as nth_topic,
        count(*) over (partition by name) as n_topics
    from (select distinct topic_scores.name, topic_scores.topic_id from topic_scores) as judged_topics

),

-- one row per sample of topics with replacement, author and topic in the sample: how often it was drawn. Sample 0 has
-- every topic once. The same seed draws the same topics for every author.
drawn_topics as (

    select
        name,
        topic_id,
        0 as sample,
        1 as n_drawn
    from topics
    union all
    select
        topics.name,
        topics.topic_id,
        draws.sample,
        count(*) as n_drawn
    from (
        select
            samples.sample,
            draw_numbers.draw,
            hash(seed, samples.sample, draw_numbers.draw) as random_number
        from range(1, n_samples + 1) as samples (sample)
        cross join range(1, (select cast(max(topics.n_topics) as bigint) + 1 from topics)) as draw_numbers (draw)
    ) as draws
    inner join topics
        on
            draws.draw <= topics.n_topics
            and draws.random_number % topics.n_topics + 1 = topics.nth_topic
    group by
        topics.name,
        topics.topic_id,
        draws.sample

),

-- one row per sample, author and run: its places by the author and by the reference
placed as (

    select
        name,
        sample,
        run_id,
        rank() over (partition by name, sample order by {{ comparable('score') }} desc) as place,
        rank() over (partition by name, sample order by {{ comparable('true_score') }} desc) as true_place
    from (
        select
            topic_scores.name,
            drawn_topics.sample,
            topic_scores.run_id,
            sum(drawn_topics.n_drawn * topic_scores.score) / sum(drawn_topics.n_drawn) as score,
            sum(drawn_topics.n_drawn * topic_scores.true_score) / sum(drawn_topics.n_drawn) as true_score
        from topic_scores
        inner join drawn_topics
            on
                topic_scores.name = drawn_topics.name
                and topic_scores.topic_id = drawn_topics.topic_id
        group by
            topic_scores.name,
            drawn_topics.sample,
            topic_scores.run_id
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
        quantile_cont(of_groups.places_won, 0.025) filter (where of_groups.sample > 0) as bootstrap_95_low,
        quantile_cont(of_groups.places_won, 0.975) filter (where of_groups.sample > 0) as bootstrap_95_high
    from of_groups
    group by
        of_groups.name,
        of_groups.grouped_by,
        of_groups.group_name

)

select * from named
