{{ config(arguments=[
    'collection', 'strategy', 'budget', 'is_per_topic := false', 'of_runs := null', 'is_of_every_topic := false'
]) }}

with

{{ imports('int_documents', 'int_topics', 'int_judgements', 'dim_pooling_strategies') }},

-- the strategies, by another name than that of the argument
strategies as (

    select
        pooling_strategies.strategy as name,
        pooling_strategies.is_in_sql
    from pooling_strategies

),

asked as (

    select strategy as name

),

-- one row: the strategy; or an error
asked_strategy as (

    select
        case
            when strategies.name is null
                then error(coalesce(asked.name, 'null') || ' is not a strategy of dim_pooling_strategies')
            when not strategies.is_in_sql
                then error(asked.name || ' chooses one document after the other: use poolhouse pool make')
            when budget < 1 then error('the budget is ' || budget || ', expected 1 or more')
            else strategies.name
        end as name
    from asked
    -- by `using`, an argument that is null would be a number
    left join strategies on asked.name = strategies.name

),

lines as (

    select * from {{ ref('int_pooled_lines') }}(collection, strategy, of_runs, is_of_every_topic)

),

-- one row per topic: its number of documents
counts as (

    select
        topic_key,
        count(distinct doc_key) as n_of_topic
    from lines
    where strategy = 'borda'
    group by topic_key

),

-- one row per topic and document that a run of the pool returns
valued as (

    select
        lines.collection_key,
        lines.topic_key,
        lines.doc_key,
        min(lines.rank) as best_rank,
        min(lines.rank, 2)[2] as next_rank,
        count(*) as n_runs,
        {{ value_of_strategy('strategy', 'max(counts.n_of_topic)') }} as value
    from lines
    left join counts using (topic_key)
    group by all

),

-- the same rows with the names that break ties
named as (

    select
        valued.*,
        topics.topic_id,
        documents.doc_id,
        coalesce(judgements.is_judged, false) as is_judged
    from asked_strategy
    inner join valued on asked_strategy.name is not null
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    left join judgements using (collection_key, topic_key, doc_key)

),

-- the same rows with their place within the topic
placed as (

    select
        *,
        row_number() over (
            partition by topic_key
            order by value desc, best_rank asc, n_runs desc, doc_id asc
        ) as place
    from named

),

-- the same rows with the smallest budget whose pool has the document. Topics share a budget equally, unless all topics
-- compete (`take`) or each has its own. A depth is taken as a whole.
costed as (

    select
        *,
        case
            when strategy = 'depth' and is_per_topic then count(*) over (partition by topic_key order by best_rank)
            when strategy = 'depth' then count(*) over (order by best_rank)
            when is_per_topic then place
            when strategy = 'take'
                then row_number() over (order by best_rank asc, n_runs desc, topic_id asc, doc_id asc)
            else row_number() over (order by place, topic_id)
        end as cost
    from placed

),

-- the documents that the budget allows
pool as (

    select
        collection as collection_id,
        strategy as strategy,
        topic_id,
        doc_id,
        cast(place as integer) as place,
        cost,
        value,
        best_rank,
        next_rank,
        cast(n_runs as integer) as n_runs,
        is_judged
    from costed
    where
        budget is null
        or cost <= budget

)

select * from pool
