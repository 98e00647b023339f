with

{{ imports('settings', chosen='int_settings', notations='int_measure_notations') }},

-- one row per setting and different value
others as (

    select distinct
        name,
        value
    from chosen

),

-- one row per problem: with a value of a setting, or with a setting that has no value
problems as (

    select
        settings.name,
        coalesce(chosen.position, 0) as position,
        coalesce(
            case
                when settings.name = 'measures' and chosen.value is not null
                    then {{ problem_with_asked('chosen.value') }}
            end,
            case
                when settings.name = 'measures' and {{ is_on_demand('chosen.value') }}
                    then chosen.value || ' is computed on demand, and no mart has it: topic_scores(collection, measure)'
            end,
            case
                when chosen.value is null then 'it takes at least one value'
                when not regexp_full_match(chosen.value, settings.pattern)
                    then chosen.value || ' is not possible: it takes ' || settings.possible_values
                when row_number() over (partition by settings.name, chosen.value order by chosen.position) > 1
                    then chosen.value || ' occurs twice'
                when settings.within is not null and others.name is null
                    then chosen.value || ' is not in ' || settings.within || ', which must contain it'
            end
        ) as problem
    from settings
    left join chosen using (name)
    left join others on settings.within = others.name and chosen.value = others.value
    qualify problem is not null

)

select * from problems
