with

{{ imports('settings', chosen='int_settings') }},

-- one row per setting: its values as they are written at the command line
written as (

    select
        name,
        string_agg(value, ' ' order by position) as value
    from chosen
    group by name

),

described as (

    select
        settings.name as setting,
        written.value,
        settings.possible_values,
        settings.description
    from settings
    left join written using (name)

)

select * from described
