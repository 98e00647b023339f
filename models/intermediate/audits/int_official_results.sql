{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_runs', 'measures', readings='int_official_readings', published='raw.official_results') }},

{{ measures_of_labels() }},

-- the published figures, with their runs where these are loaded, and with their measures where they have one
figures as (

    select
        published.*,
        runs.run_key,
        label_measures.measure,
        {{ asked_name('label_measures.measure') }} as name,
        {{ asked_cutoff('label_measures.measure') }} as cutoff
    from published
    left join runs using (collection_key, run_id)
    left join label_measures
        on
            published.label = label_measures.label
            and published.value is not null

),

-- one row per run, reading and way to run trec_eval
ways as (

    select
        readings.collection_key,
        readings.run_key,
        readings.measure,
        readings.reading_key,
        readings.level,
        readings.notation,
        {{ asked_name('readings.measure') }} as name,
        {{ asked_cutoff('readings.measure') }} as cutoff,
        listed.way,
        case listed.way
            when 0 then readings.score
            when 1 then readings.score_all_topics
            when 2 then readings.other_score
            else readings.other_score_all_topics
        end as score
    from readings
    cross join (values (0), (1), (2), (3)) as listed (way)

),

-- one row per figure of a loaded run, and reading of its label
compared as (

    select
        figures.collection_key,
        figures.line_number,
        figures.title,
        figures.label,
        figures.value,
        ways.notation,
        ways.level,
        ways.way,
        ways.score,
        ways.reading_key = 0 and ways.cutoff = figures.cutoff as is_literal,
        ways.cutoff <> figures.cutoff as has_other_cutoff,
        ways.reading_key,
        ways.cutoff,
        {{ is_met('ways.score', 'figures.value', 'figures.n_decimals') }} as is_met
    from figures
    inner join ways using (collection_key, run_key, name)

),

-- one row per label and reading: how many of its figures it meets
counted as (

    select
        collection_key,
        title,
        label,
        notation,
        level,
        way,
        is_literal,
        has_other_cutoff,
        reading_key,
        cutoff,
        count(*) as n_compared,
        count_if(is_met) as n_met,
        count(distinct value) filter (where is_met) as n_values_met
    from compared
    group by all

),

-- the same rows, in the order in which they are preferred: first the label as it is, then what meets most figures,
-- and of these what is nearest to the label
ordered as (

    select
        *,
        n_met >= {{ least_share_met() }} * n_compared
        and (is_literal or n_values_met >= {{ least_values_met() }}) as is_explaining,
        row_number() over (
            partition by collection_key, title, label, is_literal
            order by n_met desc, has_other_cutoff asc, way asc, reading_key asc, cutoff asc
        ) as place
    from counted

),

-- one row per label that is a measure: the label as it is, and the reading that explains it
explained as (

    select
        collection_key,
        title,
        label,
        any_value(way) filter (where is_literal) as literal_way,
        coalesce(bool_or(is_explaining) filter (where is_literal), false) as is_as_labelled,
        any_value(notation) filter (where is_explaining and not is_literal) as other_notation,
        any_value(way) filter (where is_explaining and not is_literal) as other_way,
        any_value(level) filter (where is_explaining and not is_literal) as other_level
    from ordered
    where place = 1
    group by
        collection_key,
        title,
        label

),

-- the same rows with the one reading that is taken
decided as (

    select
        collection_key,
        title,
        label,
        literal_way,
        is_as_labelled,
        case when not is_as_labelled then other_notation end as other_notation,
        case when not is_as_labelled then other_way end as other_way,
        case when not is_as_labelled then other_level end as other_level
    from explained

),

-- one row per figure: its score as it is labelled, and by the other reading
scored as (

    select
        compared.collection_key,
        compared.line_number,
        max(compared.score) filter (
            where compared.is_literal
            and compared.way = decided.literal_way
        ) as score,
        coalesce(bool_or(compared.is_met) filter (
            where compared.is_literal
            and compared.way = decided.literal_way
        ), false) as is_met_as_labelled,
        max(compared.score) filter (
            where compared.notation = decided.other_notation
            and compared.way = decided.other_way
        ) as other_score,
        coalesce(bool_or(compared.is_met) filter (
            where compared.notation = decided.other_notation
            and compared.way = decided.other_way
        ), false) as is_met_by_other
    from compared
    inner join decided using (collection_key, title, label)
    group by
        compared.collection_key,
        compared.line_number

),

-- one row per figure
judged as (

    select
        figures.collection_key,
        figures.line_number,
        figures.run_id,
        figures.title,
        figures.label,
        figures.value,
        figures.n_decimals,
        figures.measure,
        scored.score,
        coalesce(decided.other_notation, case when decided.is_as_labelled then figures.measure end) as reading,
        decided.other_level as reading_level,
        coalesce(decided.other_way, decided.literal_way) in (1, 3) as is_over_all_topics,
        case
            when coalesce(decided.other_way, decided.literal_way) in (2, 3) then {{ other_version() }}
            else {{ trec_eval_version() }}
        end as trec_eval_version,
        coalesce(scored.other_score, case when decided.is_as_labelled then scored.score end) as reading_score,
        coalesce(scored.is_met_as_labelled, false) as is_met_as_labelled,
        coalesce(
            case when decided.is_as_labelled then scored.is_met_as_labelled else scored.is_met_by_other end, false
        ) as is_met_by_reading,
        case
            when figures.measure is null then 'not a measure'
            when figures.run_key is null then 'run not loaded'
            when scored.is_met_by_other then 'explained by another reading'
            when scored.is_met_as_labelled then 'as labelled'
            else 'not explained'
        end as status
    from figures
    left join decided using (collection_key, title, label)
    left join scored using (collection_key, line_number)

)

select * from judged
