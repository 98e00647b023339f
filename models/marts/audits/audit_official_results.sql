with

{{ imports('int_collections', 'int_official_results') }},

-- one row per title and label
counted as (

    select
        collection_key,
        title as results_title,
        label,
        any_value(measure) as measure,
        any_value(reading) as reading,
        any_value(reading_level) as reading_level,
        bool_or(is_over_all_topics) as is_over_all_topics,
        any_value(trec_eval_version) as trec_eval_version,
        cast(count(*) as integer) as n_figures,
        cast(count_if(status not in ('not a measure', 'run not loaded')) as integer) as n_compared,
        cast(count_if(is_met_as_labelled) as integer) as n_met_as_labelled,
        cast(count_if(is_met_by_reading) as integer) as n_met_by_reading,
        cast(count_if(status = 'not explained') as integer) as n_not_explained,
        count(score) > 0 as is_tried,
        max(abs(coalesce(reading_score, score) - value)) as largest_difference,
        string_agg(run_id, ', ' order by run_id) filter (where status = 'not explained') as open_runs
    from official_results
    group by
        collection_key,
        title,
        label

),

-- the same rows with the names of collections, and on which runs the label was compared
named as (

    select
        collections.collection_id,
        counted.*,
        case when counted.n_compared > 0 then counted.reading is not null end as is_explained,
        case
            when counted.n_met_by_reading = counted.n_compared then 'all ' || counted.n_compared
            else counted.n_met_by_reading || ' of ' || counted.n_compared
        end || ' runs' as on_runs
    from counted
    inner join collections using (collection_key)

),

-- the same rows with what was found, in words
found as (

    select
        collection_id,
        results_title,
        label,
        measure,
        n_figures,
        n_compared,
        n_met_as_labelled,
        reading,
        n_met_by_reading,
        n_not_explained,
        is_over_all_topics,
        trec_eval_version,
        largest_difference,
        is_explained,
        case
            when measure is null then label || ' is no measure that Poolhouse computes, or has no numbers'
            when n_compared = 0 then 'none of its runs is loaded'
            when reading is null and not is_tried
                then 'no reading explains it, and ' || measure || ' is not among the measures that are tried'
            when reading is null
                then
                    'no reading explains it: other judgements or gains? As labelled it is met on '
                    || n_met_as_labelled || ' of ' || n_compared || ' runs'
            else
                concat(
                    label,
                    case when reading = measure then ' is met' else ' is ' || reading end,
                    ' on ',
                    on_runs,
                    case when is_over_all_topics then ', averaged over all judged topics (trec_eval -c)' end,
                    case
                        when trec_eval_version <> {{ trec_eval_version() }}
                            then ', with ties as in trec_eval ' || trec_eval_version
                    end,
                    case
                        when reading <> measure and reading like '%(rel=%'
                            then
                                ': relevant from grade ' || reading_level || ' on (load --threshold '
                                || reading_level || ')'
                    end
                )
        end as finding,
        open_runs
    from named

)

select * from found
