{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

{%- set candidates = official_candidates() %}

with

{{ imports(
    'int_runs', 'int_judged_topics', 'int_run_topics', 'measures', published='raw.official_results',
    all_judgements='int_judgements', all_judged_rankings='int_judged_rankings'
) }},

{{ measures_of_labels() }},

-- one row per collection and name of a measure that is published of a loaded run
families as (

    select distinct
        published.collection_key,
        {{ asked_name('label_measures.measure') }} as name
    from published
    inner join label_measures
        on
            published.label = label_measures.label
            and label_measures.measure is not null
    inner join runs
        on
            published.collection_key = runs.collection_key
            and published.run_id = runs.run_id

),

-- the judgements of the collections among these, and none of any other collection
base_judgements as (

    select all_judgements.*
    from all_judgements
    where all_judgements.collection_key in (select families.collection_key from families)

),

-- one row per collection and grade that has a gain, where the grades tell documents apart
grades as (

    select
        collection_key,
        grade,
        row_number() over (partition by collection_key order by grade) as nth_grade,
        max(grade) over (partition by collection_key) as highest_grade
    from base_judgements
    where
        is_relevant is not null
        and is_judged
        and grade > 0
    group by
        collection_key,
        grade
    qualify highest_grade > 1

),

-- one row per collection and reading of its grades, the plain one first. Ten levels are tried, because more of them
-- are no scale of relevance.
readings as (

    select distinct
        collection_key,
        0 as reading_key,
        'graded' as gains,
        cast(null as integer) as level
    from families
    union all
    select distinct
        collection_key,
        1 as reading_key,
        'exponential' as gains,
        cast(null as integer) as level
    from grades
    -- a gain of 2^30 is no gain of anything
    where highest_grade <= 30
    union all
    select
        collection_key,
        2 * nth_grade as reading_key,
        'binary' as gains,
        grade as level
    from grades
    where nth_grade <= 10
    union all
    select
        collection_key,
        2 * nth_grade + 1 as reading_key,
        'kept' as gains,
        grade as level
    from grades
    where nth_grade between 2 and 10

),

-- one row per collection and reading, with its parameters in ir_measures' notation: of binary measures, and of gains
reading_parameters as (

    select
        readings.collection_key,
        readings.reading_key,
        readings.gains,
        readings.level,
        'rel=' || readings.level as level_parameter,
        case readings.gains
            when 'exponential' then 'dcg=exp-log2'
            else
                'gains={'
                || string_agg(
                    grades.grade || ':' || cast({{ gain_by_reading('grades.grade', 'readings') }} as integer),
                    ',' order by grades.grade
                ) filter (where {{ gain_by_reading('grades.grade', 'readings') }} <> grades.grade)
                || '}'
        end as gain_parameter
    from readings
    left join grades using (collection_key)
    group by
        readings.collection_key,
        readings.reading_key,
        readings.gains,
        readings.level

),

-- the lists that the other version of trec_eval may order differently
reordered as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and other_version_rank is not null
        and collection_key in (select families.collection_key from families)

),

-- one row per run, judged topic and version of trec_eval in which it has a ranking of its own
versions as (

    select
        runs.collection_key,
        runs.run_key,
        judged_topics.topic_key,
        0 as is_other_version
    from runs
    inner join judged_topics using (collection_key)
    where runs.collection_key in (select families.collection_key from families)
    union all
    select distinct
        reordered.collection_key,
        reordered.run_key,
        reordered.topic_key,
        1 as is_other_version
    from reordered
    inner join judged_topics using (collection_key, topic_key)

),

-- the same rows by each reading: a reading and a version have sets of judgements of their own
lists as (

    select
        versions.*,
        readings.reading_key
    from versions
    inner join readings using (collection_key)

),

versions_of_readings as (

    select
        readings.*,
        listed.is_other_version
    from readings
    cross join (values (0), (1)) as listed (is_other_version)

),

-- the judgements by each reading and version
judgements as (

    select
        base_judgements.collection_key,
        base_judgements.topic_key,
        readings.reading_key,
        readings.is_other_version,
        {{ gain_by_reading('base_judgements.grade', 'readings') }} as grade,
        {{ relevance_by_reading('base_judgements', 'readings') }} as is_relevant
    from base_judgements
    inner join versions_of_readings as readings using (collection_key)

),

sets as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        readings.reading_key,
        readings.is_other_version,
        judged_topics.n_judged
    from judged_topics
    inner join versions_of_readings as readings using (collection_key)

),

-- the documents of rankings that are in the qrels, by each version
ranked as (

    select
        all_judged_rankings.collection_key,
        all_judged_rankings.run_key,
        all_judged_rankings.topic_key,
        all_judged_rankings.rank,
        all_judged_rankings.grade,
        all_judged_rankings.is_relevant,
        0 as is_other_version
    from all_judged_rankings
    where all_judged_rankings.collection_key in (select families.collection_key from families)
    union all
    select
        reordered.collection_key,
        reordered.run_key,
        reordered.topic_key,
        reordered.other_version_rank as rank,
        base_judgements.grade,
        case when base_judgements.is_judged then base_judgements.is_relevant end as is_relevant,
        1 as is_other_version
    from reordered
    inner join base_judgements using (collection_key, topic_key, doc_key)

),

-- the same rows by each reading
judged_rankings as (

    select
        ranked.* replace (
            {{ gain_by_reading('ranked.grade', 'readings') }} as grade,
            {{ relevance_by_reading('ranked', 'readings') }} as is_relevant
        ),
        readings.reading_key
    from ranked
    inner join readings using (collection_key)

),

{{ scores_by_measures(candidates, by=['reading_key', 'is_other_version']) }},

-- one row per run, topic, reading, version and measure that is tried
topic_scores as (

    {{ unpivot_measures('scores', candidates) }}

),

-- one row per run, topic, reading and measure of a published family. Gains tell readings apart for nDCG alone, and
-- levels for all other measures.
read_scores as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.measure,
        topic_scores.reading_key,
        families.name,
        bool_or(topic_scores.is_answered) as is_answered,
        max(topic_scores.score) filter (where topic_scores.is_other_version = 0) as score,
        max(topic_scores.score) filter (where topic_scores.is_other_version = 1) as other_score
    from topic_scores
    inner join readings using (collection_key, reading_key)
    inner join families
        on
            topic_scores.collection_key = families.collection_key
            and {{ asked_name('topic_scores.measure') }} = families.name
    where
        families.name = 'nDCG'
        or readings.gains in ('graded', 'binary')
    group by
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.measure,
        topic_scores.reading_key,
        families.name

),

-- one row per run, reading and measure: the score of the run, by each way to run trec_eval
run_scores as (

    select
        read_scores.collection_key,
        read_scores.run_key,
        read_scores.measure,
        read_scores.reading_key,
        read_scores.name,
        {{ over_topics('read_scores.score', 'measures.aggregation', 'read_scores.is_answered') }} as score,
        {{ over_topics('read_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        {{ over_topics(
            'coalesce(read_scores.other_score, read_scores.score)', 'measures.aggregation', 'read_scores.is_answered'
        ) }} as other_score,
        {{ over_topics(
            'coalesce(read_scores.other_score, read_scores.score)', 'measures.aggregation', 'true'
        ) }} as other_score_all_topics
    from read_scores
    inner join measures using (name)
    group by
        read_scores.collection_key,
        read_scores.run_key,
        read_scores.measure,
        read_scores.reading_key,
        read_scores.name

),

-- the same rows with the notation of the measure by its reading
noted as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        run_scores.reading_key,
        reading_parameters.level,
        {{ notation_of_reading(
            'run_scores.measure',
            "case
            when reading_parameters.gains = 'graded' then null
            when run_scores.name = 'nDCG' then reading_parameters.gain_parameter
            else reading_parameters.level_parameter
        end"
        ) }} as notation,
        run_scores.score,
        run_scores.score_all_topics,
        run_scores.other_score,
        run_scores.other_score_all_topics
    from run_scores
    inner join reading_parameters using (collection_key, reading_key)

)

select * from noted
