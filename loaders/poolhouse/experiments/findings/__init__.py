"""The results of an experiment: a table for the terminal, and a figure beside the warehouse."""

import io
import re
import shlex
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from poolhouse.cookbook.answers import sql_of
from poolhouse.cookbook.entries import entry_named
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query

_FOLDER = Path(__file__).parent

# The questions that a table reads. The first has all figures of the experiment.
QUESTIONS = {
    "bias": ("webber_park_figure_1",),
    "systems": ("webber_park_table_1", "webber_park_substitute"),
    "topics": ("webber_park_errors",),
    "intervals": ("webber_park_intervals",),
}

# Titles above the tables.
TITLES = {
    "bias": "bias of a run that is not in the pool, in RBP",
    "systems": "errors of inference from systems, in RBP",
    "topics": "mean absolute error of inference from topics, in RBP",
    "intervals": "95 % intervals that hold the true score, in RBP",
}


def findings(warehouse: Warehouse, collection: str, experiment: str) -> QueryResult:
    """Return the most important figures of an experiment, which are those of one measure."""
    sql = (_FOLDER / f"{experiment}.sql").read_text(encoding="utf-8")
    found = _answer(warehouse, collection, QUESTIONS[experiment], sql)
    return _by_count(found) if experiment == "topics" else found


def _by_count(found: QueryResult) -> QueryResult:
    """Pivot the numbers of common topics, because SQL cannot name columns by values."""
    rows = pl.DataFrame(found.rows, schema=found.columns, orient="row", infer_schema_length=None)
    counts = sorted(set(rows["common_topics"]))
    wide = rows.pivot("common_topics", values="mae").select(
        "population",
        "from",
        "width",
        *(
            pl.col(f"{count}").alias(f"{count} topics" if count else "unadjusted")
            for count in counts
        ),
    )
    return QueryResult(wide.columns, wide.rows())


def all_figures(warehouse: Warehouse, collection: str, experiment: str) -> QueryResult:
    """Return all figures of an experiment."""
    question = QUESTIONS[experiment][0]
    sql = f"from {question} where collection_id = $collection order by all"
    return _answer(warehouse, collection, [question], sql)


def _answer(
    warehouse: Warehouse, collection: str, questions: Iterable[str], sql: str
) -> QueryResult:
    """Run SQL that reads the answers to these questions by their names."""
    answers = ", ".join(f"{name} as ({sql_of(warehouse, entry_named(name))})" for name in questions)
    return run_query(warehouse, f"with {answers}\n{sql}", {"collection": collection})


def draw_figure(
    warehouse: Warehouse,
    collection: str,
    experiment: str,
    file: Path | None,
    *,
    stored_at: datetime | None = None,
) -> Path:
    """Draw the figures into a file. Its name selects the format; the default is an SVG.

    The default file lies beside the warehouse. An existing file is kept if it was drawn after
    `stored_at` (UTC), the end of the experiment. Raise PoolhouseError where the file cannot be
    written.
    """
    if file is None:
        name = re.sub(r"[^\w.-]+", "-", collection)
        file = warehouse.path.with_suffix(f".{name}.{experiment}.svg")
        # Different collections may have the same changed name.
        if stored_at and name == collection and _was_written_since(file, stored_at):
            return file
    # Takes most of a second to import.
    from poolhouse.experiments.findings.figures import draw  # noqa: PLC0415

    draw(_rows_of(warehouse, collection, experiment), experiment, collection, file)
    return file


def pool_findings(warehouse: Warehouse, collection: str) -> QueryResult:
    """Return one row per strategy and budget of the experiment `pools`."""
    sql = (_FOLDER / "pools.sql").read_text(encoding="utf-8")
    return run_query(warehouse, sql, {"collection": collection})


def draw_pool_figure(warehouse: Warehouse, collection: str, file: Path | None) -> Path:
    """Draw the cost of pools against what they give, into a file or beside the warehouse.

    Raise PoolhouseError where the experiment was not run, or the file cannot be written.
    """
    # Takes most of a second to import.
    from poolhouse.experiments.findings.pools_figure import draw_pools  # noqa: PLC0415

    if file is None:
        name = re.sub(r"[^\w.-]+", "-", collection)
        file = warehouse.path.with_suffix(f".{name}.pools.svg")
    result = run_query(
        warehouse,
        """
        select strategy, kind, budget, n_documents, share_of_relevant, kendall_tau
        from experiments.fct_pool_strategies
        inner join dim_pooling_strategies using (strategy)
        where collection_id = $collection and measure = 'AP'
        order by position, budget
        """,
        {"collection": collection},
    )
    if not result.rows:
        raise PoolhouseError(
            f"pools was not run on {collection!r}: "
            f"poolhouse experiment pools --collection {shlex.quote(collection)}"
        )
    draw_pools(pl.DataFrame(result.rows, schema=result.columns, orient="row"), collection, file)
    return file


def draw_stored(warehouse: Warehouse, collection: str, experiment: str, file: Path) -> None:
    """Draw the stored figures of an experiment into a file, whose name selects the format.

    Raise PoolhouseError where the experiment was not run, or the file cannot be written.
    """
    if not all_figures(warehouse, collection, experiment).rows:
        raise PoolhouseError(
            f"{experiment} was not run on {collection!r}: "
            f"poolhouse experiment {experiment} --collection {shlex.quote(collection)}"
        )
    draw_figure(warehouse, collection, experiment, file)


def svg_of(warehouse: Warehouse, collection: str, experiment: str) -> bytes:
    """Return the figure of an experiment that was run on the collection, as SVG."""
    # Takes most of a second to import.
    from poolhouse.experiments.findings.figures import draw  # noqa: PLC0415

    file = io.BytesIO()
    draw(_rows_of(warehouse, collection, experiment), experiment, collection, file)
    return file.getvalue()


def _rows_of(warehouse: Warehouse, collection: str, experiment: str) -> pl.DataFrame:
    result = all_figures(warehouse, collection, experiment)
    return pl.DataFrame(result.rows, schema=result.columns, orient="row")


def _was_written_since(file: Path, time: datetime) -> bool:
    return file.is_file() and file.stat().st_mtime >= time.replace(tzinfo=UTC).timestamp()
