with

{{ imports(
    'int_collections where is_judged', 'int_pool_depths', 'int_pool_parts', 'int_judging_in_words',
    rules='verdict_rules', figures='int_verdict_figures'
) }},

-- one row per judged collection and rule
judged as (

    select
        collections.collection_key,
        rules.position,
        rules.rule_id,
        -- where every candidate was judged, nothing depends on a pool
        case pool_depths.judging when 'exhaustive' then rules.asks_about = 'runs' else rules.is_essential end
            as is_essential,
        figures.figure,
        figures.run_id,
        {{ outcome_of('figures.figure', 'rules') }} as outcome,
        case
            when figures.figure is not null
                then
                    replace(
                        replace(
                            case
                                when pool_parts.explained_share is null
                                    then replace(rules.finding, 'runs outside the pool', 'loaded runs')
                                else rules.finding
                            end, '{}', {{ number_in_words('figures.figure') }}
                        ),
                        '{run}', coalesce(figures.run_id, '')
                    )
                    || case
                        when rules.rule_id = 'pool_depth' and pool_parts.least_depth < pool_depths.pool_depth
                            then ' on its shallowest topics'
                        when rules.rule_id = 'pool_depth' and pool_depths.pool_depth_source = 'recorded'
                            then ', by its number of documents'
                        when rules.asks_about = 'others'
                            then concat(
                                case when pool_depths.pool_depth_source = 'recorded' then ', by the lists' end,
                                case
                                    when not pool_parts.is_told
                                        then ', or ' || case rules.is_better when 'lower' then 'less' else 'more' end
                                end
                            )
                        else ''
                    end
            when pool_depths.judging = 'exhaustive' and rules.asks_about <> 'runs'
                then 'every candidate was judged, so that there is no pool'
            when pool_depths.pool_depth is null then judging_in_words.how_judged
            when rules.asks_about <> 'runs' and rules.asks_about <> 'pool' and judging_in_words.part <> ''
                then judging_in_words.part
            else replace(rules.not_told, '{}', '{{ least_pairs_of_an_order() }}')
        end as finding,
        rules.is_better,
        rules.passes_at,
        rules.fails_at
    from collections
    cross join rules
    inner join pool_depths using (collection_key)
    inner join pool_parts using (collection_key)
    inner join judging_in_words using (collection_key)
    left join figures using (collection_key, rule_id)

),

-- the same rows, with the threshold of the rule in words
outcomes as (

    select
        judged.collection_key,
        judged.position,
        judged.rule_id,
        judged.is_essential,
        judged.figure,
        judged.run_id,
        judged.outcome,
        judged.finding,
        {{ demand_in_words('judged', 'judged.outcome') }} as demand
    from judged

)

select * from outcomes
