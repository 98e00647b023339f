"""The results of an experiment: a table for the terminal, and a figure beside the warehouse."""

import re
import shlex
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from attrs import asdict

from poolhouse.cookbook.answers import sql_of
from poolhouse.cookbook.entries import entry_named
from poolhouse.errors import PoolhouseError
from poolhouse.experiments.later import OURS
from poolhouse.experiments.requests import Compared
from poolhouse.figures.style import DEFAULT_STYLE, Style
from poolhouse.output.titled_tables import TitledTable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query

_FOLDER = Path(__file__).parent

# The figures of a report are as wide as its text.
_PAGE = Style(width=720)

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
    warehouse: Warehouse, collection: str, experiment: str, file: Path, style: Style = DEFAULT_STYLE
) -> None:
    """Draw the stored figures of an experiment into a file, whose name selects the format.

    Raise PoolhouseError where the experiment was not run, or the file cannot be written.
    """
    # Takes most of a second to import.
    from poolhouse.figures.experiments import specification, title_of  # noqa: PLC0415
    from poolhouse.figures.files import write_figure  # noqa: PLC0415

    rows = _rows_of(warehouse, collection, experiment)
    drawn = specification(rows, experiment, style.width)
    write_figure(drawn, title_of(experiment, rows), collection, style, file)


def draw_beside(
    warehouse: Warehouse, collection: str, experiment: str, stored_at: datetime | None
) -> Path:
    """Draw the figures of an experiment into an SVG beside the warehouse.

    An existing file is kept if it was drawn after `stored_at` (UTC), the end of the experiment.
    Raise the errors of `draw_figure`.
    """
    file = _place_beside(warehouse, collection, experiment)
    # Different collections may have the same changed name.
    is_of_collection = file.name.endswith(f".{collection}.{experiment}.svg")
    if not (stored_at and is_of_collection and _was_written_since(file, stored_at)):
        draw_figure(warehouse, collection, experiment, file)
    return file


def _place_beside(warehouse: Warehouse, collection: str, experiment: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", collection)
    return warehouse.path.with_suffix(f".{name}.{experiment}.svg")


def pool_findings(warehouse: Warehouse, collection: str) -> QueryResult:
    """Return one row per strategy and budget of the experiment `pools`."""
    sql = (_FOLDER / "pools.sql").read_text(encoding="utf-8")
    return run_query(warehouse, sql, {"collection": collection})


def draw_pool_figure(
    warehouse: Warehouse, collection: str, file: Path | None, style: Style = DEFAULT_STYLE
) -> Path:
    """Draw the cost of pools against what they give, into a file or beside the warehouse.

    Raise PoolhouseError where the experiment was not run, or the file cannot be written.
    """
    # Takes most of a second to import.
    from poolhouse.figures.files import write_figure  # noqa: PLC0415
    from poolhouse.figures.strategies import TITLE, specification  # noqa: PLC0415

    file = file or _place_beside(warehouse, collection, "pools")
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
    rows = _drawable(result, collection, "pools")
    write_figure(specification(rows, style.width), TITLE, collection, style, file)
    return file


def later_findings(warehouse: Warehouse, compared: Compared) -> QueryResult:
    """Return the errors of estimates, by pool, measure, estimator and unjudged weight.

    Raise PoolhouseError where no run counts.
    """
    sql = (_FOLDER / "later.sql").read_text(encoding="utf-8")
    found = run_query(warehouse, sql, {**asdict(compared), "estimators": list(OURS)})
    if not found.rows:
        raise PoolhouseError(
            f"no run of {compared.collection!r} has unjudged documents of which later judgements "
            f"leave at most {100 * compared.unknown:g} % of the weight unknown: --unknown raises "
            "the limit"
        )
    return found


def later_tables(found: QueryResult, title: str) -> list[TitledTable]:
    """Return the tables that people read: all runs, and by unjudged weight where it matters."""
    rows = pl.DataFrame(found.rows, schema=found.columns, orient="row", infer_schema_length=None)
    hold = pl.format("{} of {}", "hold", "intervals of 95 %").alias("95 % hold")
    is_all = pl.col("unjudged") == "all"
    # The other estimators have no intervals to believe.
    has_bands = (pl.col("intervals of 95 %") > 0) | ~pl.col("estimator").is_in(OURS)
    whole = rows.filter(is_all).select(
        *("pool", "measure", "estimator", "mean unjudged", "runs", "without estimate"),
        *("MAE", "bias", hold, "left out: MAE"),
    )
    # What no row has says nothing.
    if not rows["without estimate"].sum():
        whole = whole.drop("without estimate")
    if not rows["left out: MAE"].count():
        whole = whole.drop("left out: MAE")
    bands = rows.filter(~is_all & has_bands).select(
        *("pool", "measure", "estimator", "unjudged", "runs", "MAE", "bias", hold)
    )
    return [
        (title, whole.columns, whole.rows()),
        ("by the share that was unjudged", bands.columns, bands.rows()),
    ]


def draw_later_figure(
    warehouse: Warehouse, compared: Compared, file: Path | None, style: Style = DEFAULT_STYLE
) -> Path:
    """Draw the errors of the runs that count, into a file or beside the warehouse.

    Raise PoolhouseError where the file cannot be written.
    """
    # Takes most of a second to import.
    from poolhouse.figures.files import write_figure  # noqa: PLC0415
    from poolhouse.figures.later import TITLE, specification  # noqa: PLC0415

    file = file or _place_beside(warehouse, compared.collection, compared.experiment)
    result = run_query(
        warehouse,
        """
        select estimates.*
        from experiments.fct_later_estimates as estimates
        left join dim_measures as measures using (measure)
        where
            collection_id = $collection
            and experiment = $experiment
            and (unjudged_weight > 0 or experiment = 'left-out')
            and round(unknown_weight, 9) <= $unknown
        order by measures.position, measure, run_id, estimator
        """,
        asdict(compared),
    )
    rows = _drawable(result, compared.collection, compared.experiment)
    write_figure(specification(rows, style.width), TITLE, compared.collection, style, file)
    return file


def svg_of(warehouse: Warehouse, collection: str, experiment: str) -> bytes:
    """Return the figure of an experiment that was run on the collection, as SVG."""
    # Takes most of a second to import.
    from poolhouse.figures.experiments import specification, title_of  # noqa: PLC0415
    from poolhouse.figures.files import drawn  # noqa: PLC0415

    rows = _rows_of(warehouse, collection, experiment)
    figure = specification(rows, experiment, _PAGE.width)
    return drawn(figure, title_of(experiment, rows), collection, _PAGE)


def _rows_of(warehouse: Warehouse, collection: str, experiment: str) -> pl.DataFrame:
    return _drawable(all_figures(warehouse, collection, experiment), collection, experiment)


def _drawable(result: QueryResult, collection: str, experiment: str) -> pl.DataFrame:
    if not result.rows:
        raise PoolhouseError(
            f"{experiment} was not run on {collection!r}: "
            f"poolhouse experiment {experiment} --collection {shlex.quote(collection)}"
        )
    # Estimates without an interval may come first.
    return pl.DataFrame(result.rows, schema=result.columns, orient="row", infer_schema_length=None)


def _was_written_since(file: Path, time: datetime) -> bool:
    return file.is_file() and file.stat().st_mtime >= time.replace(tzinfo=UTC).timestamp()
