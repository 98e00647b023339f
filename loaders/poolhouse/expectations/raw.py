"""Promises of loaded raw files: the counts of each file add up, and every stored line is valid."""

from collections.abc import Mapping, Sequence

import duckdb

from poolhouse.expectations.declaration import (
    CHECKED,
    Expectation,
    Subject,
    Suite,
    SuiteName,
    between,
    holds,
)

# Kinds of files in which every line is a row, a blank line or a rejected line.
_OF_LINES = ("run", "qrels", "common_topics", "author_qrels")
# Kinds of files in which a line need not be a row.
_NOT_OF_LINES = (
    "descriptions",
    "topic_attributes",
    "authors",
    "texts",
    "title_words",
    "document_frequencies",
    "official_results",
)
_FILE = ("kind", "name")
_RUN = ("run_id",)
_LINE = ("line_number",)

# A field of a line is never empty and never holds white space.
_IS_NO_WORD = r"({column} = '' or regexp_matches({column}, '[ \t\v\f\r\n]'))"
_IS_NO_TOPIC = _IS_NO_WORD.format(column="query")
_IS_NO_DOCUMENT = _IS_NO_WORD.format(column="docno")

# Condition on the lines of the collections that are checked.
_IS_AT_HAND = f"where collection_key in (select checked_collection_key from {CHECKED})"  # noqa: S608 - constant

# Figures of the run lines, one row for each run. They are computed once, so that millions of lines
# are not read again for each expectation. Hashes by the engine in place of the words take as much
# time, and collide: in 76 files of TREC-8.
_CHECKED_RUNS = f"""
select
    collection_key,
    run_key,
    count(*) as n_stored,
    count(distinct line_number) as n_distinct_lines,
    count(distinct (query, docno)) as n_distinct_documents,
    min(line_number) as first_line,
    max(line_number) as last_line,
    count(*) filter (where {_IS_NO_TOPIC}) as n_bad_topics,
    count(*) filter (where {_IS_NO_DOCUMENT}) as n_bad_documents,
    count(*) filter (where not isfinite(score)) as n_bad_scores
from raw.run_lines
where collection_key in (select unnest($1))
group by collection_key, run_key
"""  # noqa: S608 - constants

# Lines that are read at a time; a collection with more lines is read whole. All words of these
# lines are in memory together.
_LINES_AT_A_TIME = 5_000_000

_COLLECTIONS_AT_A_TIME = f"""
with

sizes as (
    select
        checked_collection_key as collection_key,
        coalesce(sum(files.n_rows), 0) as n_rows
    from {CHECKED}
    left join ops.files as files
        on checked_collection_key = files.collection_key and files.kind = 'run'
    group by checked_collection_key
),

placed as (
    select
        collection_key,
        (sum(n_rows) over (order by collection_key) - n_rows) // {_LINES_AT_A_TIME} as place
    from sizes
)

select list(collection_key)
from placed
group by place
"""  # noqa: S608 - constants

# Files with the rows that are stored of each, and stored rows without a file. A run file and the
# judgements of common topics for a run have the run id as name. Judgements of an author have the
# author as name. A file of texts has its own name. Any other file has its kind as name.
_CHECKED_FILES = f"""
create or replace temp table checked_files as

with

stored as (
    select
        runs.collection_key,
        'run' as kind,
        runs.run_id as name,
        coalesce(checked_runs.n_stored, 0) as n_stored,
        coalesce(checked_runs.n_distinct_lines, 0) as n_distinct_lines,
        coalesce(checked_runs.n_distinct_documents, 0) as n_distinct_documents
    from raw.runs as runs
    left join checked_runs using (collection_key, run_key)
    union all
    select
        collection_key,
        'qrels',
        'qrels',
        count(*),
        count(distinct line_number),
        count(distinct (query, docno))
    from raw.qrels_lines
    {_IS_AT_HAND}
    group by collection_key
    union all
    select
        collection_key,
        'common_topics',
        run_id,
        count(*),
        count(distinct line_number),
        count(distinct (query, docno))
    from raw.common_judgements
    {_IS_AT_HAND}
    group by collection_key, run_id
    union all
    select
        collection_key,
        'author_qrels',
        author,
        count(*),
        count(distinct line_number),
        count(distinct (query, docno))
    from raw.author_lines
    {_IS_AT_HAND}
    group by collection_key, author
    union all
    select collection_key, 'authors', 'authors', count(*), null, null
    from raw.authors
    -- a collection that was made of another one has a declaration without a file
    where collection_key in (select collection_key from ops.files where kind = 'authors')
    group by collection_key
    union all
    select collection_key, 'descriptions', 'descriptions', count(*), null, null
    from raw.descriptions
    group by collection_key
    union all
    select collection_key, 'topics', 'topics', count(*), null, null
    from raw.topics
    group by collection_key
    union all
    select collection_key, kind, name, count(*), null, null
    from raw.judged_texts
    where kind = 'texts'
    group by collection_key, kind, name
    union all
    select collection_key, kind, name, count(*), null, null
    from raw.title_word_documents
    where kind = 'title_words'
    group by collection_key, kind, name
    union all
    select collection_key, 'document_frequencies', 'document_frequencies', count(*), null, null
    from raw.document_frequencies
    group by collection_key
    union all
    select collection_key, 'topic_attributes', 'topic_attributes', count(*), null, null
    from raw.topic_attributes
    group by collection_key
    union all
    select collection_key, 'official_results', 'official_results', count(*), null, null
    from raw.official_results
    group by collection_key
),

set_aside as (
    select
        collection_key,
        kind,
        name,
        count(*) as n_set_aside
    from raw.rejected_lines
    group by collection_key, kind, name
),

files as (
    select *, true as is_loaded
    from ops.files
)

select
    collection_key,
    kind,
    name,
    coalesce(files.is_loaded, false) as is_loaded,
    files.n_lines,
    files.n_rows,
    files.n_blank,
    files.n_rejected,
    files.n_duplicates,
    coalesce(stored.n_stored, 0) as n_stored,
    coalesce(stored.n_distinct_lines, 0) as n_distinct_lines,
    coalesce(stored.n_distinct_documents, 0) as n_distinct_documents,
    coalesce(set_aside.n_set_aside, 0) as n_set_aside
from files
full join stored using (collection_key, kind, name)
full join set_aside using (collection_key, kind, name)
"""  # noqa: S608 - constants


def _prepare(connection: duckdb.DuckDBPyConnection, _collections: Mapping[int, str]) -> None:
    """Create the temporary tables that stand for the raw tables, for the checked collections."""
    connection.execute(
        f"create or replace temp table checked_runs as {_CHECKED_RUNS} limit 0", [[]]
    )
    for (keys,) in connection.execute(_COLLECTIONS_AT_A_TIME).fetchall():
        connection.execute(f"insert into checked_runs {_CHECKED_RUNS}", [keys])
    connection.execute(_CHECKED_FILES)


_RUNS = """
select
    checked_runs.* exclude (run_key),
    coalesce(runs.run_id, 'key ' || checked_runs.run_key) as run_id,
    runs.run_id is not null as is_named,
    files.n_lines
from checked_runs
left join raw.runs as runs on checked_runs.run_key = runs.run_key
left join ops.files as files
    on
        files.kind = 'run'
        and runs.collection_key = files.collection_key
        and runs.run_id = files.name
"""


def _of_a_file(
    name: str, condition: str, identifiers: Sequence[str], meaning: str, reason: str
) -> Expectation:
    """Expect a condition of every loaded file.

    Rows without a loaded file are found by the expectation what_is_stored_is_of_a_file only.
    """
    return holds(name, f"not is_loaded or ({condition})", (*_FILE, *identifiers), meaning, reason)


# Reasons that several expectations share.
_NO_TOPIC = "Runs and judgements meet by the topic. Such a topic meets nothing, and nobody sees it."
_NO_DOCUMENT = (
    "Runs and judgements meet by the document id. Such a document is never judged, and nobody "
    "sees it."
)

RAW = Suite(
    SuiteName.RAW,
    (
        Subject(
            "ops.files",
            _FILE,
            (
                holds(
                    "what_is_stored_is_of_a_file",
                    "is_loaded",
                    (*_FILE, "n_stored", "n_set_aside"),
                    "every stored row and every rejected line belongs to a loaded file",
                    "Rows of no file count in scores, and nobody can say where they come from.",
                ),
                _of_a_file(
                    "every_line_is_accounted_for",
                    f"kind in {_NOT_OF_LINES} or n_lines = n_rows + n_blank + n_rejected",
                    ("n_lines", "n_rows", "n_blank", "n_rejected"),
                    "every line of a file is a row, a blank line or a rejected line",
                    "Any other line was lost without a word.",
                ),
                _of_a_file(
                    "every_row_is_stored",
                    "n_rows = n_stored",
                    ("n_rows", "n_stored"),
                    "as many rows are stored as the account of the file says",
                    "Scores without some rows of a file are scores of another run.",
                ),
                _of_a_file(
                    "every_line_is_stored_once",
                    f"kind not in {_OF_LINES} or n_stored = n_distinct_lines",
                    ("n_stored", "n_distinct_lines"),
                    "no two rows of a run or of judgements come from the same line",
                    "A line that is stored twice may hide that another one is missing.",
                ),
                _of_a_file(
                    "every_repetition_is_counted",
                    f"kind not in {_OF_LINES} or n_duplicates = n_stored - n_distinct_documents",
                    ("n_duplicates", "n_stored", "n_distinct_documents"),
                    "as many rows repeat a topic and document as the account of the file says",
                    "Of repeated rows only one counts, and the account tells users how many.",
                ),
                _of_a_file(
                    "every_rejected_line_is_kept",
                    "coalesce(n_rejected, 0) = n_set_aside",
                    ("n_rejected", "n_set_aside"),
                    "as many rejected lines are kept as the account of the file says",
                    "audits.audit_rejected_lines shows users what was set aside, and why.",
                ),
                _of_a_file(
                    "no_file_is_empty",
                    f"kind not in {_OF_LINES} or n_rows >= 1",
                    (),
                    "every file of a run or of judgements has at least one row",
                    "A file without rows is nearly always the wrong file, or a part of one.",
                ),
            ),
            query="from checked_files",
            by="collection_key",
            prepare=_prepare,
        ),
        Subject(
            "raw.run_lines",
            _RUN,
            (
                holds(
                    "lines_belong_to_a_run",
                    "is_named",
                    _RUN,
                    "every line belongs to a loaded run",
                    "Lines of no run are in no ranking, although they are stored.",
                ),
                holds(
                    "line_numbers_are_of_the_file",
                    "first_line >= 1 and last_line <= n_lines",
                    (*_RUN, "first_line", "last_line", "n_lines"),
                    "line numbers lie between 1 and the number of lines of the file",
                    "By its number a user finds the line in the file.",
                ),
                between(
                    "n_bad_topics",
                    0,
                    0,
                    "no topic is empty or holds white space",
                    _NO_TOPIC,
                    name="n_bad_topics_in_range",
                ),
                between(
                    "n_bad_documents",
                    0,
                    0,
                    "no document id is empty or holds white space",
                    _NO_DOCUMENT,
                    name="n_bad_documents_in_range",
                ),
                between(
                    "n_bad_scores",
                    0,
                    0,
                    "every score is a finite number",
                    "Documents are ranked by score, and there is no order with NaN.",
                    name="n_bad_scores_in_range",
                ),
            ),
            query=_RUNS,
            by="collection_key",
        ),
        *(
            Subject(
                table,
                line,
                (
                    holds(
                        "topics_are_words",
                        f"not {_IS_NO_TOPIC}",
                        (*line, "query"),
                        "no topic is empty or holds white space",
                        _NO_TOPIC,
                    ),
                    holds(
                        "documents_are_words",
                        f"not {_IS_NO_DOCUMENT}",
                        (*line, "docno"),
                        "no document id is empty or holds white space",
                        _NO_DOCUMENT,
                    ),
                ),
                by="collection_key",
            )
            for table, line in (
                ("raw.qrels_lines", _LINE),
                ("raw.author_lines", (*_LINE[:-1], "author", _LINE[-1])),
            )
        ),
    ),
)
