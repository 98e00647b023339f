"""Estimates against judgements that were made later (`later`), or that had left (`left-out`)."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.errors import BadFileError, PoolhouseError, did_you_mean
from poolhouse.experiments.requests import LaterRequest
from poolhouse.experiments.results import computed_results, computing, store_settings
from poolhouse.experiments.running import ExperimentReport, built_state, publish
from poolhouse.loading.line_files import read_qrels
from poolhouse.loading.parsers import StatedEstimate, parse_estimates, read_source
from poolhouse.loading.run_files import is_name
from poolhouse.output.words import some_of
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros

LATER, LEFT_OUT = "later", "left-out"

# The estimators of every collection, in the order of tables.
OURS = ("unadjusted", "condensed", "webber_park", "if_pooled", "if_judged")

# One row per pooled run and measure whose bias is estimated.
_POOLED_RUNS = """
select distinct
    runs.run_key,
    adjusted_scores.measure
from fct_adjusted_scores as adjusted_scores
inner join intermediate.int_collections as collections using (collection_id)
inner join intermediate.int_runs as runs using (collection_key, run_id)
where
    collection_id = $collection
    and adjusted_scores.level = 'organization'
"""

# The labels of an author, on the scale of the collection.
_LABELS = """
select
    topics.topic_id,
    documents.doc_id,
    labels.reference_grade as grade
from intermediate.int_collections as collections
inner join intermediate.int_authors as authors using (collection_key)
inner join intermediate.int_author_judgements as labels using (collection_key, author_key)
inner join intermediate.int_topics as topics using (collection_key, topic_key)
inner join intermediate.int_documents as documents using (collection_key, doc_key)
where
    collections.collection_id = $collection
    and authors.author = $author
    and authors.is_compared
    and labels.is_judged
"""
_AUTHORS = """
select authors.author
from intermediate.int_authors as authors
inner join intermediate.int_collections as collections using (collection_key)
where
    collections.collection_id = $collection
    and authors.is_compared
order by authors.author
"""

# One row: how the later judgements meet the loaded ones. Of several grades, the highest counts.
_LATER = """
create or replace temp table later as from later_judgements($collection, 'given_judgements')
"""
_MEETING = """
with

loaded as (

    select *
    from fct_judgements
    where collection_id = $collection

),

-- documents that a run returns, or the loaded judgements hold
documents as (

    select documents.doc_id
    from intermediate.int_documents as documents
    inner join intermediate.int_collections as collections using (collection_key)
    where collections.collection_id = $collection

),

-- one row per pair that was judged later
given as (

    select
        topic_id,
        doc_id,
        grade,
        topic_id in (select topic_id from loaded) as is_of_topics,
        topic_id in (select topic_id from loaded)
        and doc_id in (select doc_id from documents) as is_known
    from later

)

select
    count(*) as n_pairs,
    count(*) filter (where given.is_of_topics) as n_on_topics,
    count(*) filter (where given.is_known) as n_known,
    count(*) filter (where given.is_known and loaded.is_judged is not true) as n_new,
    count(*) filter (where loaded.is_judged and loaded.relevance <> given.grade) as n_contradicted,
    min(given.topic_id) as topic_id,
    (select min(topic_id) from loaded) as loaded_topic_id
from given
left join loaded using (topic_id, doc_id)
"""

_ESTIMATES = {
    "estimator": pl.String,
    "run_id": pl.String,
    "measure": pl.String,
    "estimate": pl.Float64,
    "ci_95_low": pl.Float64,
    "ci_95_high": pl.Float64,
}


def run_later_experiment(warehouse: Warehouse, request: LaterRequest) -> ExperimentReport:
    """Hold what is estimated of every run against later judgements, and replace earlier results.

    Where both judge a document, the later grade counts. The topics are those that the loaded
    judgements judge. Raise BadFileError for a file that cannot be read, judgements without a topic
    of the collection, and an estimate of an unknown run or measure. Raise PoolhouseError where the
    judgements are no file and no author, or nothing is new in them. Raise the other errors of
    `run_experiment`.
    """
    values = {"collection": request.collection}

    def compute(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
        remarks = _put_later(connection, request)
        make_macros(connection, "later_scores", "later_estimates")
        connection.execute(
            "create temp table scores as from later_scores($collection, 'later')", values
        )
        _put_given(connection, request.collection, given)
        _keep(connection, LATER, "later_estimates($collection, 'scores', 'given')", values)
        return remarks

    given = _read(request.estimates)
    return _run(warehouse, request.collection, LATER, request.name, compute)


def run_left_out_experiment(
    warehouse: Warehouse, collection: str, estimates: Sequence[Path]
) -> ExperimentReport:
    """Hold estimates of pooled runs without their organizations against their scores in the pool.

    The estimates are made from the judgements without those that the organization of the run alone
    contributed. Raise PoolhouseError where no run is known to be pooled. Raise the errors of
    `run_later_experiment`.
    """
    values = {"collection": collection}

    def compute(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
        make_macros(connection, "left_out_estimates")
        connection.execute(f"create temp table scores as {_POOLED_RUNS}", values)
        if not connection.execute("from scores limit 1").fetchall():
            raise PoolhouseError(
                f"collection {collection!r}: no run is known to be pooled, so that no organization "
                "leaves the pool"
            )
        _put_given(connection, collection, given)
        _keep(connection, LEFT_OUT, "left_out_estimates($collection, 'given')", values)
        return ()

    given = _read(estimates)
    return _run(warehouse, collection, LEFT_OUT, None, compute)


def _run(
    warehouse: Warehouse,
    collection: str,
    experiment: str,
    judgements: str | None,
    compute: Callable[[duckdb.DuckDBPyConnection], tuple[str, ...]],
) -> ExperimentReport:
    """Compute the results with a connection, and replace the stored ones."""
    with computing(warehouse) as connection:
        built = built_state(connection, collection)
        remarks = compute(connection)
        [(n_runs,)] = connection.execute("select count(distinct run_key) from scores").fetchall()
        settings = {"experiment": experiment, "n_samples": n_runs, "widths": []}
        store_settings(connection, {**built._asdict(), **settings, "judgements": judgements})
        results = computed_results(connection)
    publish(warehouse, collection, built, experiment, results)
    return ExperimentReport(n_runs, 1, remarks)


def _keep(
    connection: duckdb.DuckDBPyConnection, experiment: str, model: str, values: dict[str, str]
) -> None:
    """Keep what a model says, which may read the tables `scores` and `given`."""
    connection.execute(
        f"""
        insert into memory.experiments.later_estimates by name
        select
            $experiment as experiment,
            *
        from {model}
        """,  # noqa: S608 - own words
        {**values, "experiment": experiment},
    )


def stored_judgements(
    warehouse: Warehouse, collection: str, experiment: str
) -> tuple[str | None, bool]:
    """Return the later judgements of the stored results, and whether nothing was changed since.

    Raise PoolhouseError where the experiment was not run. Raise the errors of `built_state`.
    """
    with warehouse.read() as connection:
        built_state(connection, collection)
        found = connection.execute(
            """
            select judgements, is_current
            from experiments.dim_experiments
            where collection_id = $collection and experiment = $experiment
            """,
            {"collection": collection, "experiment": experiment},
        ).fetchone()
    if found is None:
        option = "--judgements" if experiment == LATER else "--estimates"
        raise PoolhouseError(
            f"{experiment} was not run on {collection!r}: poolhouse experiment {experiment} "
            f"--collection {shlex.quote(collection)} {option} FILE"
        )
    judgements, is_current = found
    return judgements, is_current


def _put_later(connection: duckdb.DuckDBPyConnection, request: LaterRequest) -> tuple[str, ...]:
    """Store the later judgements as the table `later`, and return remarks on them."""
    values = {"collection": request.collection}
    remarks: tuple[str, ...] = ()
    if request.file:
        lines = read_qrels(request.file)
        remarks = lines.remarks
        later = lines.rows.select("grade", topic_id="query", doc_id="docno")
    else:
        # The engine takes no text with half characters, which a path may have.
        author = request.judgements if is_name(request.judgements) else ""
        later = rows_of(connection, _LABELS, {**values, "author": author})
        if later.is_empty():
            authors = rows_of(connection, _AUTHORS, values)["author"].to_list()
            known = f" (authors: {some_of(authors)})" if authors else ""
            raise PoolhouseError(
                f"{request.judgements!r} is no file of judgements, and no author whose labels are "
                f"beside those of {request.collection!r}{known}"
                f"{did_you_mean(request.judgements, authors)}"
            )
    put_table(connection, "given_judgements", later)
    make_macros(connection, "later_judgements")
    connection.execute(_LATER, values)
    [meeting] = rows_of(connection, _MEETING, values).to_dicts()
    _refuse_useless(request, meeting)
    if n_elsewhere := meeting["n_pairs"] - meeting["n_on_topics"]:
        remarks += (
            f"{n_elsewhere:,} of the later judgements are on topics that the loaded ones do not "
            "judge, and count nowhere",
        )
    if n_unknown := meeting["n_on_topics"] - meeting["n_known"]:
        remarks += (
            f"{n_unknown:,} of the later judgements are of documents that no loaded run returns, "
            "and count nowhere",
        )
    if meeting["n_contradicted"]:
        remarks += (
            f"{meeting['n_contradicted']:,} loaded judgements have another grade in the later "
            "ones, which counts",
        )
    return (*remarks, f"{meeting['n_new']:,} documents are judged by the later judgements alone")


def _refuse_useless(request: LaterRequest, meeting: dict[str, int]) -> None:
    if not meeting["n_on_topics"]:
        example = (
            f": it has {meeting['topic_id']!r}, the collection {meeting['loaded_topic_id']!r}"
            if meeting["n_pairs"]
            else ""
        )
        raise PoolhouseError(
            f"{request.judgements}: judges no topic that is judged in {request.collection!r}"
            f"{example}; give judgements of the same topics"
        )
    if not meeting["n_new"] + meeting["n_contradicted"]:
        raise PoolhouseError(
            f"{request.judgements}: judges nothing that the loaded judgements of "
            f"{request.collection!r} lack: give the judgements that were made later"
        )


def _read(files: Sequence[Path]) -> list[tuple[Path, StatedEstimate]]:
    """Return the estimates of files, each with its file."""
    return [(path, each) for path in files for each in parse_estimates(read_source(path))]


def _put_given(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    given: Sequence[tuple[Path, StatedEstimate]],
) -> None:
    """Store estimates by anybody as the table `given`.

    Raise BadFileError for an unknown run or measure, a name of an estimator that is taken, and an
    estimator in two files.
    """
    runs, measures = (
        rows_of(connection, f"select distinct {column} from {table} order by all")[column].to_list()  # noqa: S608 - own words
        for column, table in (
            ("run_id", "scores inner join intermediate.int_runs using (run_key)"),
            ("measure", "scores"),
        )
    )
    files: dict[str, Path] = {}
    for path, each in given:
        if each.estimator in OURS:
            problem = f"estimator {each.estimator!r} is one of Poolhouse's own: give another name"
            raise BadFileError(path, f"{problem} in the column estimator", each.line)
        if (other := files.setdefault(each.estimator, path)) != path:
            problem = f"estimator {each.estimator!r} is in {other} too: put it into one file"
            raise BadFileError(path, problem, each.line)
        if each.run_id not in runs:
            problem = f"run {each.run_id!r} has no score in {collection!r}, leave it out"
            raise BadFileError(path, problem + did_you_mean(each.run_id, runs), each.line)
        if each.measure not in measures:
            problem = f"measure {each.measure!r} is not one of {', '.join(measures)}"
            raise BadFileError(path, problem + did_you_mean(each.measure, measures), each.line)
    rows = [
        (each.estimator, each.run_id, each.measure, each.estimate, each.low, each.high)
        for _, each in given
    ]
    put_table(connection, "given", pl.DataFrame(rows, schema=_ESTIMATES, orient="row"))
