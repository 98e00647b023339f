{#-
    The score engine: the rows that the measures aggregate, as CTEs. A cell is a run's ranking of a judged topic with
    one set of judgements. Everything that is scored by measures in ir_measures' notation is scored here. The CTEs read:

    | CTE | one row per | columns beside collection_key, run_key and topic_key |
    | --- | --- | --- |
    | `lists` | cell | |
    | `run_topics` | run and topic that it answers | `n_retrieved` |
    | `judged_rankings` | document of a ranking that is in the qrels | `rank`, `grade`, `is_relevant` (null: unjudged) |
    | `judgements` | document of the qrels (of no run) | `grade`, `is_relevant` |
    | `sets` | topic and set of judgements (of no run) | `n_judged` |

    Where a topic has several sets of judgements, `by` names the keys that tell them apart, which all of these but
    `run_topics` have. With the key `left_out_key`, documents leave the qrels with a run or organization: the documents
    have the columns of sole contributors in its place.

    `treatments` lists the treatments of unjudged documents.

    The CTEs `judged_cells` and `compared_cells` are to be aggregated, by `cell_key`. Their totals are those of
    `measures`, or of the argument `asked`.
-#}
{% macro scored_cells(measures=none, by=[], treatments=["'nonrelevant'"]) -%}
{%- set levels = relevance_levels(measures or []) -%}
{%- set is_asked = measures is none -%}
{#- the column with the gain of a document (rows.sql), and the gain of a judgement -#}
{%- set gain = 'gain' if is_asked else 'grade' -%}
{%- set judged_gain = asked_gain('judgements.grade') if is_asked else 'judgements.grade' -%}
treatments as (

    select * from (values ({{ treatments | join('), (') }})) as listed (unjudged)

),

-- the documents with a gain of each set of judgements, highest grade first: the ideal ranking
ideal as (

    select
        sets.collection_key,
        sets.topic_key,
        {{ keys_of_set('sets', by) }}
        judgements.grade,
        {{ judged_gain ~ ' as gain,' if is_asked }}
        judgements.is_relevant,
        row_number() over (
            partition by {{ keys_of_set('sets', by) }} sets.collection_key, sets.topic_key
            order by {{ judged_gain }} desc
        ) as rank
    from sets
    inner join judgements
        on
            sets.collection_key = judgements.collection_key
            and sets.topic_key = judgements.topic_key
            and {{ judged_gain }} > 0
            {{ 'and judgements.is_relevant is not null' if is_asked }}
            {{- and_is_in_set('judgements', 'sets', by) }}

),

-- the same rows with the gain down to each rank
ideal_rankings as (

    select
        *,
        -- a sum of integers has 128 bits, which are slow to read
        cast(sum({{ gain }}) over ideal_ranking as double) as gain_so_far,
        sum({{ discounted_gain('rank', gain) }}) over ideal_ranking as discounted_gain_so_far
    from ideal
    window
        ideal_ranking as (
            partition by {{ keys_of_set('ideal', by) }} collection_key, topic_key
            order by rank
        )

),

-- one row per topic and set of judgements, with what an ideal ranking finds
totals as (

    select
        sets.collection_key,
        sets.topic_key,
        {{ keys_of_set('sets', by) }}
        sets.n_judged,
        count(*) filter (where ideal_rankings.is_relevant) as n_relevant,
        {{ total_columns('ideal_rankings', measures) }}
    from sets
    left join ideal_rankings on {{ is_same_set('sets', 'ideal_rankings', by) }}
    group by all

),

-- the same rows with the highest grade of the collection
scales as (

    select
        *,
        max(highest_grade) over (partition by collection_key) as highest_grade_of_collection
    from totals

),

-- the grid: one row per cell, with the totals of its topic. A run that answers no judged topic has no cell. The CTEs
-- below identify a row by its key, so that the rows that they pass on are narrow.
grid as (

    select
        cast(row_number() over () as integer) as cell_key,
        lists.run_key,
        scales.*,
        run_topics.n_retrieved is not null as is_answered,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from lists
    semi join run_topics as answered using (run_key)
    inner join scales on {{ is_same_set('lists', 'scales', by) }}
    left join run_topics
        on
            lists.run_key = run_topics.run_key
            and lists.topic_key = run_topics.topic_key

),

-- the documents of each cell that are in its set of judgements{{ '; of whole lists, those that the measure looks at' if is_asked }}
found as (

    select
        grid.cell_key,
        judged_rankings.rank as full_rank,
        judged_rankings.grade,
        {{ relevance_columns('judged_rankings', levels) }}
    from grid
    inner join judged_rankings
        on
            grid.run_key = judged_rankings.run_key
            and grid.topic_key = judged_rankings.topic_key
            {{- and_is_in_set('judged_rankings', 'grid', by) }}
    {%- if is_asked %}
    where
        judged_rankings.rank <= {{ asked_depth('asked') }}
        {%- for unjudged in treatments %}
        or not ({{ is_whole_list(is_asked, unjudged) }})
        {%- endfor %}
    {%- endif %}

),

-- the same rows, where the judged documents are counted from the top
counted as (

    select
        *,
        {{ counting_columns() }}
    from found
    window ranking as (partition by cell_key order by full_rank)

),

-- the documents among them that have a gain, counted from the top
gainful as (

    select
        *,
        {{ asked_gain('grade') ~ ' as gain,' if is_asked }}
        {{ gain_counting_columns(levels, asked_gain('grade') if is_asked else 'grade', measures) }}
    from counted
    where {{ 'is_relevant is not null and ' ~ asked_gain('grade') ~ ' <> 0' if is_asked else 'grade > 0' }}
    window ranking as (partition by cell_key order by full_rank)

),

-- the documents of each cell under each treatment of unjudged documents; a cell without documents keeps one empty
-- row for each treatment
judged_cells as (

    select
        grid.*,
        treatments.unjudged,
        counted.* exclude (cell_key, nth_judged, nth_pooled_unjudged),
        {% if is_asked -%}
            case when counted.is_relevant is not null then {{ asked_gain('counted.grade') }} else 0 end as gain,
        {% endif -%}
        {{ treated_columns('counted', is_asked) }}
    from grid
    cross join treatments
    left join counted using (cell_key)

),

-- the documents with a gain of each cell under each treatment; a cell without any keeps one empty row for each
-- treatment
gainful_cells as (

    select
        grid.*,
        treatments.unjudged,
        gainful.* exclude (cell_key, nth_judged, nth_pooled_unjudged),
        {{ treated_columns('gainful', is_asked) }}
    from grid
    cross join treatments
    left join gainful using (cell_key)

),

-- the same rows with the gain of the ideal ranking at the same rank
compared_cells as (

    select
        gainful_cells.*,
        ideal_rankings.gain_so_far as ideal_gain_so_far
    from gainful_cells
    left join ideal_rankings
        on
            {{ is_same_set('gainful_cells', 'ideal_rankings', by) }}
            and {{ rank_in_ideal('gainful_cells') }} = ideal_rankings.rank

)
{%- endmacro %}

{#- The scores of the cells by several measures, as the CTE `scores`: one row per cell and treatment. -#}
{% macro scores_by_measures(measures, by=[], treatments=["'nonrelevant'"]) -%}
{%- set of_ideal = measures_of('ideal', measures) -%}
{{ scored_cells(measures, by, treatments) }},
{% if of_ideal %}
{{ ideal_cells(by, is_asked=false) }},

-- one row per cell and treatment, one column per measure that follows the ideal ranking
measured_ideal as (

    select
        cell_key,
        unjudged,
        {{ measure_columns(of_ideal) }}
    from ideal_cells
    group by all

),
{% endif %}
-- one row per cell and treatment, one column per measure of all judged documents
measured_judged as (

    select
        cell_key,
        unjudged,
        {{ measure_columns(measures_of('judged', measures)) }}
    from judged_cells
    group by all

),

-- one row per cell and treatment, one column per measure of the documents with a gain
measured_gains as (

    select
        cell_key,
        unjudged,
        {{ measure_columns(measures_of('gains', measures)) }}
    from compared_cells
    group by all

),

-- one row per cell and treatment, one column per measure
scores as (

    select
        grid.collection_key,
        grid.run_key,
        grid.topic_key,
        {{ keys_of_set('grid', by) }}
        grid.is_answered,
        measured_judged.* exclude (cell_key),
        measured_gains.* exclude (cell_key, unjudged){{ ',
        measured_ideal.* exclude (cell_key, unjudged)' if of_ideal }}
    from grid
    inner join measured_judged using (cell_key)
    inner join measured_gains using (cell_key, unjudged)
    {%- if of_ideal %}
    inner join measured_ideal using (cell_key, unjudged)
    {%- endif %}

)
{%- endmacro %}

{#- The keys of a set of judgements beside its topic; with a comma at the end. -#}
{% macro keys_of_set(rows, by) -%}
    {%- for key in by -%}{{ rows }}.{{ key }}, {% endfor -%}
{%- endmacro %}

{#- Whether two rows are of one topic and one set of judgements. -#}
{% macro is_same_set(one, other, by) -%}
    {%- for key in ['collection_key', 'topic_key'] + by -%}
        {{ one }}.{{ key }} = {{ other }}.{{ key }}{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- Whether a document of the topic is in a set. -#}
{% macro and_is_in_set(documents, sets, by) -%}
    {%- for key in by %}
            and {{ stays_without(documents, sets) if key == 'left_out_key' else documents ~ '.' ~ key ~ ' = ' ~ sets ~ '.' ~ key }}
    {%- endfor -%}
{%- endmacro %}
