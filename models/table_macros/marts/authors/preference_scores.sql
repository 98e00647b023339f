{{ config(arguments=['collection']) }}
{#-
    Bradley-Terry scores by the iteration of Newman 2023. In the prior, each document wins and loses once against a
    document with the score 0. Each step goes half of the way, so that none overshoots, and moves all scores of a topic
    by a Newton step, so that few are needed. The errors are those of the inverse of the information, by Gauss and Jordan.
-#}
{%- set chance = '(1 / (1 + exp({1} - ({0}))))' -%}
{%- set spread = chance ~ ' * (1 / (1 + exp({0} - ({1}))))' -%}
{%- set with_diagonal = 'list_transform(of_documents, lambda part, nth : case nth when settled.place'
    ~ ' then list_sum(of_documents) + of_prior else -part end)' -%}
{%- set with_one_more = 'list_transform(swept.line, lambda part, nth : case'
    ~ ' when swept.place = chosen.place then case nth when chosen.place then 1 else part end'
    ~ ' when nth = chosen.place then -swept.line[chosen.place]'
    ~ ' else part * chosen.line[chosen.place] - swept.line[chosen.place] * chosen.line[nth]'
    ~ ' end / chosen.line[chosen.place])' -%}
{%- set still_moves, most_steps = '1e-9', 3000 -%}

with recursive

{{ imports('stg_preferences', 'int_collections', 'quantiles', 'fct_judgements where is_judged') }},

{{ normal_quantiles() }},

{{ asked_collection(['collection'], relevance_level='cast(null as integer)', must_be_judged=false) }},

-- one row per author, topic, document and document that it was compared with: what came of it for the first
pairs as (

    select
        preferences.author,
        preferences.topic_id,
        case when sides.is_first then preferences.doc_id else preferences.other_doc_id end as doc_id,
        case when sides.is_first then preferences.other_doc_id else preferences.doc_id end as other_doc_id,
        count(*) as n_compared,
        count(*) filter (where preferences.is_equal) as n_equal,
        count(*) filter (where not preferences.is_equal and sides.is_first) as n_won,
        n_compared - n_equal - n_won as n_lost,
        n_won + n_equal / 2 as n_points
    from asked_collection
    inner join preferences using (collection_key)
    cross join (values (true), (false)) as sides (is_first)
    group by all

),

-- the scores after each step
stepped as (

    select distinct
        author,
        topic_id,
        doc_id,
        cast(0 as double) as score,
        cast(1 as double) as moved,
        0 as n_steps
    from pairs
    union all
    select
        author,
        topic_id,
        doc_id,
        halfway + shift as score,
        max(abs(halfway + shift - score)) over (partition by author, topic_id) as moved,
        n_steps + 1 as n_steps
    from (
        select
            *,
            sum(0.5 - {{ chance.format('halfway', 0) }}) over of_topic as excess,
            sum({{ spread.format('halfway', 0) }}) over of_topic as slope,
            greatest(least(excess / slope, 1), -1) as shift
        from (
            select
                stepped.author,
                stepped.topic_id,
                stepped.doc_id,
                stepped.score,
                stepped.n_steps,
                stepped.score / 2 + ln(
                    (
                        {{ chance.format(0, 'stepped.score') }}
                        + sum(n_points * {{ chance.format('other_score', 'stepped.score') }})
                    ) / (
                        {{ chance.format(0, 'stepped.score') }}
                        + sum((n_compared - n_points) / (exp(stepped.score) + exp(other_score)))
                    )
                ) / 2 as halfway
            from stepped
            inner join pairs using (author, topic_id, doc_id)
            inner join stepped as other (author, topic_id, other_doc_id, other_score)
                using (author, topic_id, other_doc_id)
            where
                stepped.moved > {{ still_moves }}
                and stepped.n_steps < {{ most_steps }}
            group by stepped.author, stepped.topic_id, stepped.doc_id, stepped.score, stepped.n_steps
        ) as half_steps
        window of_topic as (partition by author, topic_id)
    ) as steps

),

-- the scores after the last step of their topic
settled as (

    select
        author,
        topic_id,
        doc_id,
        score,
        row_number() over (partition by author, topic_id, n_steps order by doc_id) as place
    from stepped
    qualify n_steps = max(n_steps) over (partition by author, topic_id)

),

-- the lines of the matrix of the information, and after each step with one more document inverted
swept as (

    select
        settled.*,
        list(
            coalesce(n_compared * {{ spread.format('settled.score', 'other_score') }}, 0) order by other_place
        ) as of_documents,
        2 * {{ spread.format('settled.score', 0) }} as of_prior,
        1 as next_place,
        {{ with_diagonal }} as line
    from settled
    inner join settled as other (author, topic_id, other_doc_id, other_score, other_place) using (author, topic_id)
    left join pairs using (author, topic_id, doc_id, other_doc_id)
    group by settled.author, settled.topic_id, settled.doc_id, settled.score, settled.place
    union all
    select
        swept.* exclude (next_place, line),
        swept.next_place + 1 as next_place,
        {{ with_one_more }} as line
    from swept
    inner join swept as chosen
        on
            swept.author = chosen.author
            and swept.topic_id = chosen.topic_id
            and swept.next_place = chosen.place

),

-- the scores less the mean of their topic, with the errors
centred as (

    select
        author,
        topic_id,
        doc_id,
        score - avg(score) over of_topic as score,
        sqrt(line[place] - 2 * list_avg(line) + avg(list_avg(line)) over of_topic) as standard_error
    from swept
    where next_place > len(line)
    window of_topic as (partition by author, topic_id)

),

-- the pairs with the direction that most of their preferences have, and with what the grades of the reference say of them
graded as (

    select
        pairs.*,
        sign(pairs.n_won - pairs.n_lost) as direction,
        pairs.n_won + pairs.n_lost as n_strict,
        sign(judgements.relevance - other.relevance) as difference
    from pairs
    left join judgements
        on
            pairs.topic_id = judgements.topic_id
            and pairs.doc_id = judgements.doc_id
            and judgements.collection_id = collection
    left join judgements as other
        on
            pairs.topic_id = other.topic_id
            and pairs.other_doc_id = other.doc_id
            and other.collection_id = collection

),

-- one row per author, topic and two documents: the documents that are compared with both, where all three pairs have a direction
threes as (

    select
        one.author,
        one.topic_id,
        one.doc_id,
        one.other_doc_id,
        count(*) as n_threes,
        count(*) filter (where one.direction = next.direction and one.direction = last.direction) as n_cyclic
    from graded as one
    inner join graded as next
        on
            one.author = next.author
            and one.topic_id = next.topic_id
            and one.other_doc_id = next.doc_id
    inner join graded as last
        on
            one.author = last.author
            and one.topic_id = last.topic_id
            and next.other_doc_id = last.doc_id
            and one.doc_id = last.other_doc_id
    where one.direction * next.direction * last.direction <> 0
    group by all

),

-- the documents, and one row per author and topic, and per author. A pair is here from both sides, and three from six.
named as (

    select
        collection as collection_id,
        author,
        topic_id,
        doc_id,
        1 + grouping(doc_id) as n_sides,
        cast(sum(n_won) as integer) as n_won,
        cast(sum(n_lost) as integer) as n_lost,
        cast(sum(n_equal) / n_sides as integer) as n_equal,
        case n_sides when 1 then any_value(score) end as score,
        case n_sides when 1 then any_value(score - quantile_95 * standard_error) end as ci_95_low,
        case n_sides when 1 then any_value(score + quantile_95 * standard_error) end as ci_95_high,
        cast(coalesce(sum(n_strict) filter (where difference is not null), 0) / n_sides as integer) as n_graded,
        sum(case difference when 1 then n_won when -1 then n_lost else 0 end) / nullif(n_graded * n_sides, 0)
            as share_confirmed,
        sum(case difference when 1 then n_lost when -1 then n_won else 0 end) / nullif(n_graded * n_sides, 0)
            as share_contradicted,
        1 - share_confirmed - share_contradicted as share_tied,
        count(*) filter (where n_compared > greatest(n_won, n_lost, n_equal))
        / nullif(count(*) filter (where n_compared > 1), 0) as share_conflicting,
        cast(coalesce(sum(n_threes), 0) / (4 * n_sides - 2) as integer) as n_threes,
        sum(n_cyclic) / sum(n_threes) as share_cyclic
    from graded
    inner join centred using (author, topic_id, doc_id)
    left join threes using (author, topic_id, doc_id, other_doc_id)
    cross join normal_quantiles
    group by grouping sets ((author, topic_id, doc_id), (author, topic_id), (author))

)

select * exclude (n_sides) from named
