"""What an experiment found: a table for the terminal, and a figure beside the warehouse."""

import re
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query

_FOLDER = Path(__file__).parent

# The mart that holds all of an experiment's figures, of which the table shows those of one measure.
_MARTS = {
    "bias": "rpt_webber_park_2009_figure_1",
    "systems": "rpt_webber_park_2009_table_1",
    "topics": "rpt_common_topic_errors",
    "intervals": "rpt_interval_coverage",
}

# Said above the table.
TITLES = {
    "bias": "bias of a run that is not in the pool, in RBP",
    "systems": "errors of inference from systems, in RBP",
    "topics": "mean absolute error of inference from topics, in RBP",
    "intervals": "95 % intervals that hold the true score, in RBP",
}


def findings(warehouse: Warehouse, collection: str, experiment: str) -> QueryResult:
    """Return the figures of an experiment that people look at first."""
    sql = (_FOLDER / f"{experiment}.sql").read_text(encoding="utf-8")
    found = run_query(warehouse, sql, {"collection": collection})
    return _by_count(found) if experiment == "topics" else found


def _by_count(found: QueryResult) -> QueryResult:
    """Put the numbers of common topics side by side: SQL names no columns after what it finds."""
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
    """Return all of them."""
    mart = _MARTS[experiment]
    sql = f"from {mart} where collection_id = $collection order by all"
    return run_query(warehouse, sql, {"collection": collection})


def draw_figure(
    warehouse: Warehouse,
    collection: str,
    experiment: str,
    file: Path | None,
    *,
    stored_at: datetime | None = None,
) -> Path:
    """Draw them into a file, whose name says the format; by default an SVG beside the warehouse.

    What lies there is left as it is where it was drawn since `stored_at` (UTC), the time at which
    the experiment was finished. Raise PoolhouseError where it cannot be written.
    """
    if file is None:
        name = re.sub(r"[^\w.-]+", "-", collection)
        file = warehouse.path.with_suffix(f".{name}.{experiment}.svg")
        # Other collections may share a name that had to be changed.
        if stored_at and name == collection and _was_written_since(file, stored_at):
            return file
    # Takes most of a second to import.
    from poolhouse.experiments.findings.figures import draw  # noqa: PLC0415

    result = all_figures(warehouse, collection, experiment)
    rows = pl.DataFrame(result.rows, schema=result.columns, orient="row")
    draw(rows, experiment, collection, file)
    return file


def _was_written_since(file: Path, time: datetime) -> bool:
    return file.is_file() and file.stat().st_mtime >= time.replace(tzinfo=UTC).timestamp()
