{#-
    Scores of run files by a file of judgements. The score engine (macros/measures/scored_cells.sql) scores them, as it
    scores the runs of a warehouse. The statements read `qrels_lines` (query, docno, grade) and `run_lines` (run_key,
    topic_key, docno, score), the lines of judged topics, in which a run has a document once. Parts are rendered one by
    one: `judgements` once, and `rankings` and `scores` for each batch of runs. `rankings` reads `run_lines` once.
-#}
{#- The scores with the ids of their topics, in the order of runs and topics. -#}
{%- macro ordered_scores() -%}
select
    scores.* exclude (collection_key, topic_key),
    topics.query as topic_id
from scores
inner join topics on scores.topic_key = topics.topic_key
order by
    scores.run_key,
    scores.topic_key
{%- endmacro -%}

{%- set treatments = ["'" ~ unjudged ~ "'"] -%}
{%- set counted = counted_grade('qrels_lines.grade', judged_from) -%}
{%- set level_of_asked = 'coalesce(' ~ asked_parameter('asked', 'rel') ~ ', ' ~ level ~ ')' -%}
{%- if part == 'judgements' -%}
-- one row per judged topic, numbered in the order in which trec_eval prints them
create or replace temp table topics as
select
    query,
    cast(row_number() over (order by query) as integer) as topic_key
from qrels_lines
group by query;

create or replace temp table judgements as
select
    0 as collection_key,
    topics.topic_key,
    qrels_lines.docno,
    {{ counted }} as grade,
    case when {{ is_judged(counted) }} then qrels_lines.grade >= {{ level }} end as is_relevant
from qrels_lines
inner join topics on qrels_lines.query = topics.query;

create or replace temp table sets as
select
    collection_key,
    topic_key,
    count(is_relevant) as n_judged
from judgements
group by
    collection_key,
    topic_key
{%- elif part == 'rankings' -%}
-- one row per document of a judged topic, down to the rank that counts
create or replace temp table rankings as
with

retrieved as (

    select * replace ({{ score_as_read('score', version) }} as score)
    from run_lines

),

ranked as (

    select
        run_key,
        topic_key,
        docno,
        cast({{ trec_eval_rank('docno') }} as integer) as rank
    from retrieved

)

select
    0 as collection_key,
    *
from ranked
{{ 'where rank <= ' ~ depth if depth is not none }};

create or replace temp table run_topics as
select
    collection_key,
    run_key,
    topic_key,
    count(*) as n_retrieved
from rankings
group by
    collection_key,
    run_key,
    topic_key;

-- one row per run that answers a judged topic, and judged topic
create or replace temp table lists as
select
    0 as collection_key,
    runs.run_key,
    topics.topic_key
from (select distinct run_topics.run_key from run_topics) as runs
cross join topics;

create or replace temp table judged_rankings as
select
    rankings.* exclude (docno),
    judgements.grade,
    judgements.is_relevant
from rankings
inner join judgements
    on
        rankings.topic_key = judgements.topic_key
        and rankings.docno = judgements.docno
{%- elif part == 'scores' -%}
with

{{ scores_by_measures(measures, treatments=treatments) }}

{{ ordered_scores() }}
{%- elif part == 'scores on demand' -%}
create or replace temp macro scores_on_demand(asked) as table
with

judgements as (

    select * replace (
        case when is_relevant is not null then grade >= {{ level_of_asked }} end as is_relevant
    )
    from temp.judgements
    -- always true; after a condition on an argument, the engine does not take arguments for columns when it checks
    -- the rest of the macro
    where asked is not null

),

judged_rankings as (

    select * replace (
        case when is_relevant is not null then grade >= {{ level_of_asked }} end as is_relevant
    )
    from temp.judged_rankings

),

{{ asked_scores(treatments=treatments, has_warehouse=false) }}

{{ ordered_scores() }}
{%- elif part == 'counts' -%}
with

-- the rank down to which each measure looks
depths (measure, depth) as (

    values
    {% for measure in measures %}
        ('{{ measure }}', cast({{ asked_depth("'" ~ measure ~ "'") }} as integer)){{ ',' if not loop.last }}
    {% endfor %}

),

{{ top_documents() }}

select
    top_documents.run_key,
    topics.query as topic_id,
    depths.measure,
    cast(top_documents.n_top_documents as integer) as n_top_documents,
    cast(top_documents.n_top_documents - top_documents.n_judged as integer) as n_unjudged
from top_documents
inner join topics on top_documents.topic_key = topics.topic_key
inner join depths on top_documents.depth = depths.depth
{%- elif part == 'relstrings' -%}
-- one row per run and topic that it answers: a character for each of the first documents that count
select
    rankings.run_key,
    topics.query as topic_id,
    left(
        string_agg(
            case
                when judged_rankings.grade is null then '-'
                when judged_rankings.grade < 0 then '.'
                when judged_rankings.grade > 9 then '>'
                else cast(judged_rankings.grade as varchar)
            end,
            '' order by rankings.rank
        ),
        {{ length }}
    ) as relevances
from rankings
inner join topics on rankings.topic_key = topics.topic_key
left join judged_rankings
    on
        rankings.run_key = judged_rankings.run_key
        and rankings.topic_key = judged_rankings.topic_key
        and rankings.rank = judged_rankings.rank
where {{ 'judged_rankings.grade >= 0' if unjudged == 'condensed' else 'rankings.rank <= ' ~ length }}
group by
    rankings.run_key,
    topics.query
{%- elif part == 'other measure' -%}
-- one row: the notation of an argument, its name in trec_eval and what is wrong with it
with

notations as (

    {% include 'models/intermediate/settings/int_measure_notations.sql' %}

),

written as (

    select coalesce(max({{ written_measure('$asked') }}), $asked) as asked
    from measures

)

select
    asked,
    max({{ asked_trec_eval_name('asked', 'measures') }}) as trec_eval_name,
    {{ problem_with_asked('asked') }} as problem
from written
left join measures on measures.name = {{ asked_name('asked') }}
group by asked
{%- endif -%}
