"""What raw files promise once they are loaded: the account balances, and every line is sound."""

from poolhouse.expectations.declaration import (
    Subject,
    Suite,
    SuiteName,
    between,
    holds,
    one_of,
)
from poolhouse.loading import POOLING_ORDERS
from poolhouse.parsers import RejectReason

_FILE = ("kind", "name")
_RUN = ("run_id",)
_LINE = ("line_number",)

# Figures of a collection's run lines, a row a run, made once: millions of lines are read one time
# and not once an expectation. A word with a blank in it, or an empty one, would not be a field.
PREPARATION = """
create or replace temp table checked_runs as
select
    run_key,
    count(*) as n_stored,
    min(line_number) as first_line,
    max(line_number) as last_line,
    count(*) filter (where query = '' or contains(query, ' ')) as n_bad_topics,
    count(*) filter (where docno = '' or contains(docno, ' ')) as n_bad_documents,
    count(*) filter (where not isfinite(score)) as n_bad_scores
from raw.run_lines
where collection_key = getvariable('checked_collection_key')
group by run_key
"""

_FILES = """
select
    files.kind,
    files.name,
    files.n_lines,
    files.n_rows,
    files.n_blank,
    files.n_rejected,
    case files.kind
        when 'run' then coalesce(checked_runs.n_stored, 0)
        when 'qrels' then (
            select count(*) from raw.qrels_lines as stored
            where stored.collection_key = files.collection_key
        )
        when 'descriptions' then (
            select count(*) from raw.descriptions as stored
            where stored.collection_key = files.collection_key
        )
        when 'topics' then (
            select count(*) from raw.topics as stored
            where stored.collection_key = files.collection_key
        )
    end as n_stored,
    (
        select count(*) from raw.rejected_lines as stored
        where
            stored.collection_key = files.collection_key
            and stored.kind = files.kind
            and stored.name = files.name
    ) as n_set_aside
from ops.files as files
left join raw.runs as runs
    on
        files.kind = 'run'
        and files.collection_key = runs.collection_key
        and files.name = runs.run_id
left join checked_runs on runs.run_key = checked_runs.run_key
where files.collection_key = getvariable('checked_collection_key')
"""

_RUNS = """
select
    coalesce(runs.run_id, 'key ' || checked_runs.run_key) as run_id,
    runs.run_id is not null as is_named,
    checked_runs.* exclude (run_key),
    files.n_lines
from checked_runs
left join raw.runs as runs on checked_runs.run_key = runs.run_key
left join ops.files as files
    on
        files.kind = 'run'
        and runs.collection_key = files.collection_key
        and runs.run_id = files.name
"""

RAW = Suite(
    SuiteName.RAW,
    "What the files promise",
    (
        Subject(
            "ops.files",
            _FILE,
            (
                one_of("kind", ("run", "qrels", "descriptions", "topics")),
                holds(
                    "every_line_is_accounted_for",
                    "kind not in ('run', 'qrels') or n_lines = n_rows + n_blank + n_rejected",
                    (*_FILE, "n_lines", "n_rows", "n_blank", "n_rejected"),
                    "every line of a file is a row, a blank line or a rejected line",
                ),
                holds(
                    "every_row_is_stored",
                    "n_rows = n_stored",
                    (*_FILE, "n_rows", "n_stored"),
                    "as many rows are stored as the account of the file says",
                ),
                holds(
                    "every_rejected_line_is_kept",
                    "coalesce(n_rejected, 0) = n_set_aside",
                    (*_FILE, "n_rejected", "n_set_aside"),
                    "as many rejected lines are kept as the account of the file says",
                ),
                holds(
                    "no_file_is_empty",
                    "kind not in ('run', 'qrels') or n_rows >= 1",
                    _FILE,
                    "a run and the qrels have at least one row",
                ),
            ),
            query=_FILES,
        ),
        Subject(
            "raw.run_lines",
            _RUN,
            (
                holds("lines_belong_to_a_run", "is_named", _RUN, "every line is of a loaded run"),
                holds(
                    "line_numbers_are_of_the_file",
                    "first_line >= 1 and last_line <= n_lines",
                    (*_RUN, "first_line", "last_line", "n_lines"),
                    "line numbers lie between 1 and the lines of the file",
                ),
                between("n_bad_topics", 0, 0, "no topic is empty or holds white space"),
                between("n_bad_documents", 0, 0, "no document id is empty or holds white space"),
                between("n_bad_scores", 0, 0, "every score is a finite number"),
            ),
            query=_RUNS,
        ),
        Subject(
            "raw.qrels_lines",
            _LINE,
            (
                between("line_number", 1, None),
                holds(
                    "topics_are_words",
                    "query <> '' and not contains(query, ' ')",
                    (*_LINE, "query"),
                    "no topic is empty or holds white space",
                ),
                holds(
                    "documents_are_words",
                    "docno <> '' and not contains(docno, ' ')",
                    (*_LINE, "docno"),
                    "no document id is empty or holds white space",
                ),
            ),
            by="collection_key",
        ),
        Subject(
            "raw.rejected_lines",
            ("kind", "name", "line_number"),
            (
                one_of("kind", ("run", "qrels")),
                one_of("reason", tuple(reason.value for reason in RejectReason)),
                between("line_number", 1, None),
            ),
            by="collection_key",
        ),
        Subject(
            "raw.collections",
            ("collection_id",),
            (
                one_of("pooling_order", POOLING_ORDERS),
                between("relevance_threshold", 1, None),
                between("declared_pool_depth", 1, None),
            ),
            by="collection_key",
        ),
    ),
)
