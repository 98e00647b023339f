"""Hold estimates against judgements that were made later.

The script loads a collection twice: with its qrels, and with these and the later judgements of the
same topics. It builds both, and prints the table of docs/expected_relevance.md:

    uv run python benchmarks/later_judgements.py --runs FOLDER --qrels FILE --later FILE \
        --descriptions FILE

The truth of a run is an interval, because some of its documents are in neither file: none of them
is relevant, or all are. An error is the distance to this interval. A run counts if the interval is
at most as long as the limit of the table. Later judgements were made of what later runs returned,
so that the runs that count are those that resemble them.
"""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import polars as pl
from rich.console import Console
from rich.table import Table

from poolhouse.building.build import build
from poolhouse.loading.load import LoadRequest, load_collection
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

LIMITS = (0.05, 0.1, 0.2)
# Smaller differences of scores are float noise.
NOISE = 1e-9
MEASURES = ("P@5", "P@10", "P@20", "RBP(p=0.8)@10")
FIRST, LATER = "first", "later"

# Estimates with the first judgements. Webber & Park's adjustment is the same for each run.
ESTIMATES = """
    select
        board.run_id,
        board.measure,
        board.is_pooled,
        board.upper_bound - board.score as unjudged,
        board.score as unadjusted,
        board.if_pooled,
        board.if_pooled_95_low,
        board.if_pooled_95_high,
        board.if_judged,
        board.if_judged_95_low,
        board.if_judged_95_high,
        least(board.score + losses.mean_loss, board.upper_bound) as webber_park
    from adjusted_leaderboard as board
    left join (
        select measure, avg(true_score - unpooled_score) as mean_loss
        from fct_adjusted_scores
        where
            collection_id = $collection
            and level = 'organization'
            and subset = 'all'
            and unjudged = 'nonrelevant'
            and estimator = 'unadjusted'
        group by measure
    ) as losses using (measure)
    where board.collection_id = $collection
"""
TRUTHS = """
    select run_id, measure, lower_bound as truth_low, upper_bound as truth_high
    from adjusted_leaderboard
    where collection_id = $collection
"""
ESTIMATORS = ("unadjusted", "webber_park", "if_pooled", "if_judged")


def lines_of(file: Path) -> Iterator[list[str]]:
    """Yield topic, iteration, document and grade of each judgement."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8") as lines:
        yield from (line.split() for line in lines)


def put_together(first: Path, later: Path, into: Path) -> None:
    """Write all judgements of the topics of the first file; its own grades count."""
    grades = {(topic, doc): grade for topic, _, doc, grade in lines_of(first)}
    topics = {topic for topic, _ in grades}
    for topic, _, doc, grade in lines_of(later):
        if topic in topics and int(grade) >= 0:
            grades.setdefault((topic, doc), grade)
    text = "".join(f"{topic} 0 {doc} {grade}\n" for (topic, doc), grade in grades.items())
    into.write_text(text, encoding="utf-8")


def errors_of(warehouse: Warehouse) -> pl.DataFrame:
    """Return one row per run and measure with an unjudged document."""
    estimates = query_frame(warehouse, ESTIMATES, {"collection": FIRST})
    truths = query_frame(warehouse, TRUTHS, {"collection": LATER})
    rows = estimates.join(truths, on=["run_id", "measure"])
    rows = rows.filter(pl.col("measure").is_in(MEASURES), pl.col("unjudged") > 0)
    low, high = pl.col("truth_low"), pl.col("truth_high")
    return rows.with_columns(
        unknown=high - low,
        **{
            f"{name}_error": (pl.col(name) - high).clip(lower_bound=0)
            + (pl.col(name) - low).clip(upper_bound=0)
            for name in ESTIMATORS
        },
        **{
            f"{name}_holds": (pl.col(f"{name}_95_low") <= high + NOISE)
            & (pl.col(f"{name}_95_high") >= low - NOISE)
            for name in ("if_pooled", "if_judged")
        },
    )


def shown_error(rows: pl.DataFrame, column: str) -> str:
    """Return the mean absolute error, and the mean error."""
    means = rows.select(pl.col(column).abs().mean().alias("absolute"), pl.col(column).mean())
    return "{:.4f} ({:+.4f})".format(*means.row(0))


def shown(errors: pl.DataFrame, title: str) -> Table:
    """Return the table for runs outside the pool, or for pooled runs."""
    table = Table(title=title)
    columns = ["measure", "unknown up to", "runs", "unjudged"]
    for column in [*columns, *ESTIMATORS, "pooled holds", "judged holds"]:
        table.add_column(column)
    for measure in MEASURES:
        for limit in LIMITS:
            rows = errors.filter(pl.col("measure") == measure, pl.col("unknown") <= limit + NOISE)
            if rows.is_empty():
                continue
            table.add_row(
                measure,
                f"{limit:.0%}",
                str(rows.height),
                "{:.3f}".format(*rows.select(pl.col("unjudged").mean()).row(0)),
                *(shown_error(rows, f"{name}_error") for name in ESTIMATORS),
                *(f"{rows[f'{name}_holds'].sum()}" for name in ("if_pooled", "if_judged")),
            )
    return table


@click.command()
@click.option("--runs", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--qrels", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--later", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--descriptions", type=click.Path(exists=True, path_type=Path), required=True)
def main(runs: Path, qrels: Path, later: Path, descriptions: Path) -> None:
    """Print the errors of estimates against judgements that were made later."""
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "later.duckdb")
        together = Path(folder) / "together.txt"
        put_together(qrels, later, together)
        for name, judgements in ((FIRST, qrels), (LATER, together)):
            load_collection(
                warehouse, LoadRequest(name, run_files([runs]), judgements, descriptions)
            )
        if failed := build(warehouse).failed:
            sys.exit("\n".join(failed))
        errors = errors_of(warehouse)
    console = Console(width=150)
    for is_pooled, title in ((False, "outside the pool"), (True, "pooled runs")):
        console.print(shown(errors.filter(is_pooled=is_pooled), title))


if __name__ == "__main__":
    main()
