{#- Kinds of files with one row for each of some lines, which are numbered; the name, and the table of the rows. -#}
{%- set judged_lines = {
    'qrels': ["'qrels'", 'qrels_lines'],
    'common_topics': ['run_id', 'common_judgements'],
    'author_qrels': ['author', 'author_lines'],
    'preferences': ['author', 'preference_lines'],
    'leave_out': ["'leave_out'", 'leave_out_pairs'],
} -%}
{#- Other kinds, with the table of their rows. -#}
{%- set tables = {
    'authors': 'authors',
    'descriptions': 'descriptions',
    'topics': 'topics',
    'document_frequencies': 'document_frequencies',
    'topic_attributes': 'topic_attributes',
    'official_results': 'official_results',
    'pool': 'pool_documents',
} -%}
{#- Tables of files of one kind, with the name of the file in each row. -#}
{%- set named_tables = {'texts': 'judged_texts', 'title_words': 'title_word_documents'} -%}
with

{{ imports(
    collections='raw.collections where ' ~ is_at_hand(),
    loaded_files='ops.files where ' ~ is_at_hand(),
    runs='raw.runs where ' ~ is_at_hand(),
    run_lines='raw.run_lines where ' ~ is_at_hand(),
    rejected_lines='raw.rejected_lines where ' ~ is_at_hand()
) }},

-- one row per key of a run with lines, so that millions of lines are read once for all figures. By the lateral join, who
-- asks for one collection reads only its lines.
lines_of_runs as (

    select
        collections.collection_id,
        collections.collection_key,
        counted.*
    from collections
    cross join lateral (
        select
            run_lines.run_key,
            count(*) as n_stored,
            count(distinct run_lines.line_number) as n_distinct_lines,
            count(distinct row(run_lines.query, run_lines.docno)) as n_distinct_documents,
            min(run_lines.line_number) as first_line,
            max(run_lines.line_number) as last_line,
            count_if(not {{ is_word('run_lines.query') }}) as n_bad_topics,
            count_if(not {{ is_word('run_lines.docno') }}) as n_bad_documents,
            count_if(not isfinite(run_lines.score)) as n_bad_scores
        from run_lines
        where run_lines.collection_key = collections.collection_key
        group by run_lines.run_key
    ) as counted

),

-- for each file, one row with its account, one with the rows that are stored of it, and one with its rejected lines.
-- Judgements of common topics have the run as name. Lines of no run are of no kind of file.
told as (

    select
        collections.collection_id,
        kind,
        name,
        true as is_loaded,
        n_lines,
        n_rows,
        n_blank,
        n_rejected,
        n_duplicates
    from loaded_files
    inner join collections using (collection_key)
    union all by name
    select
        collections.collection_id,
        'run' as kind,
        run_id as name
    from runs
    inner join collections using (collection_key)
    union all by name
    select
        lines_of_runs.* exclude (collection_key, run_key),
        case when runs.run_id is not null then 'run' end as kind,
        coalesce(runs.run_id, 'key ' || lines_of_runs.run_key) as name
    from lines_of_runs
    left join runs using (collection_key, run_key)
    {% for kind, (name, table) in judged_lines.items() %}
        union all by name
        select
            collections.collection_id,
            '{{ kind }}' as kind,
            {{ name }} as name,
            count(*) as n_stored,
            count(distinct line_number) as n_distinct_lines,
            -- a document may stand in many preferences
            count(distinct row(query, docno{{ ', line_number' if kind == 'preferences' }})) as n_distinct_documents
        from {{ source('raw', table) }}
        inner join collections using (collection_key)
        where
            {{ is_at_hand() }}
            -- a pair that is left out for another reason is of no line
            and line_number is not null
        group by all
    {% endfor %}
    {% for kind, table in tables.items() %}
        union all by name
        select
            collections.collection_id,
            '{{ kind }}' as kind,
            '{{ kind }}' as name,
            count(*) as n_stored
        from {{ source('raw', table) }}
        inner join collections using (collection_key)
        where {{ is_at_hand() }}
        group by all
    {% endfor %}
    {% for kind, table in named_tables.items() %}
        union all by name
        select
            collections.collection_id,
            kind,
            name,
            count(*) as n_stored
        from {{ source('raw', table) }}
        inner join collections using (collection_key)
        where
            kind = '{{ kind }}'
            and {{ is_at_hand() }}
        group by all
    {% endfor %}
    union all by name
    select
        collections.collection_id,
        kind,
        name,
        count(*) as n_set_aside
    from rejected_lines
    inner join collections using (collection_key)
    group by all

),

-- one row per file, per name of stored rows without a file, and per key of run lines without a run. A collection that
-- was made of another one declares its authors without a file, and `pool make` records lists without one.
files as (

    select
        collection_id,
        kind,
        name,
        coalesce(bool_or(is_loaded), false) as is_loaded,
        kind in ('run', 'qrels', 'common_topics', 'author_qrels', 'preferences', 'leave_out') as is_of_lines,
        is_of_lines or kind = 'topics' as has_every_line,
        max(n_lines) as n_lines,
        max(n_rows) as n_rows,
        max(n_blank) as n_blank,
        max(n_rejected) as n_rejected,
        max(n_duplicates) as n_duplicates,
        coalesce(max(n_stored), 0) as n_stored,
        coalesce(max(n_distinct_lines), 0) as n_distinct_lines,
        coalesce(max(n_distinct_documents), 0) as n_distinct_documents,
        coalesce(max(n_set_aside), 0) as n_set_aside,
        max(first_line) as first_line,
        max(last_line) as last_line,
        max(n_bad_topics) as n_bad_topics,
        max(n_bad_documents) as n_bad_documents,
        max(n_bad_scores) as n_bad_scores,
        max(first_line) is not null as has_run_lines,
        name as run_id
    from told
    group by
        collection_id,
        kind,
        name
    having
        coalesce(kind not in ('authors', 'pool'), true)
        or bool_or(is_loaded)
        or max(n_set_aside) > 0

),

-- one row per collection and figure
figures as (

    select
        collection_id,
        {{ figures(
            promised(
                'what_is_stored_is_of_a_file', 'is_loaded',
                naming=['kind', 'name', 'n_stored', 'n_set_aside'], of='kind is not null'
            ),
            promised(
                'every_line_is_accounted_for', 'n_lines = n_rows + n_blank + n_rejected or not has_every_line',
                naming=['kind', 'name', 'n_lines', 'n_rows', 'n_blank', 'n_rejected'], of='is_loaded'
            ),
            promised(
                'every_row_is_stored', 'n_rows = n_stored',
                naming=['kind', 'name', 'n_rows', 'n_stored'], of='is_loaded'
            ),
            promised(
                'every_line_is_stored_once', 'n_stored = n_distinct_lines or not is_of_lines',
                naming=['kind', 'name', 'n_stored', 'n_distinct_lines'], of='is_loaded'
            ),
            promised(
                'every_repetition_is_counted', 'n_duplicates = n_stored - n_distinct_documents or not is_of_lines',
                naming=['kind', 'name', 'n_duplicates', 'n_stored', 'n_distinct_documents'], of='is_loaded'
            ),
            promised(
                'every_rejected_line_is_kept', 'coalesce(n_rejected, 0) = n_set_aside',
                naming=['kind', 'name', 'n_rejected', 'n_set_aside'], of='is_loaded'
            ),
            promised(
                'no_file_is_empty', 'n_rows >= 1 or not is_of_lines',
                naming=['kind', 'name'], of='is_loaded'
            ),
            promised('lines_belong_to_a_run', 'kind is not null', naming=['run_id'], of='has_run_lines'),
            promised(
                'line_numbers_are_of_the_file', 'first_line >= 1 and last_line <= n_lines',
                naming=['run_id', 'first_line', 'last_line', 'n_lines'], of='has_run_lines'
            ),
            counted('run_topics_are_words', 'n_bad_topics = 0', naming=['run_id', 'n_bad_topics']),
            counted('run_documents_are_words', 'n_bad_documents = 0', naming=['run_id', 'n_bad_documents']),
            counted('run_scores_are_finite', 'n_bad_scores = 0', naming=['run_id', 'n_bad_scores']),
        ) }}
    from files
    group by collection_id

)

select * from figures
