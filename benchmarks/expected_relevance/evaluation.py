"""Measure the errors of all estimators on the archive and on simulated collections.

One organization at a time is left out of the pool, and the estimates of its runs are compared with
their scores in the whole pool. The pools are also cut to smaller depths: the qrels then hold only
the documents that a pooled run has down to that depth. The pool depth and the pooled runs of a cut
collection are declared. `docs/expected_relevance.md` has the tables.

    uv run python benchmarks/expected_relevance/evaluation.py --output FOLDER

The folder gets the rows behind the tables as CSV.
"""

import gzip
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import duckdb
import polars as pl

from poolhouse.building.build import build
from poolhouse.command_line import console
from poolhouse.demo.running import as_pooled
from poolhouse.demo.simulator import RECIPES, simulate
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import CollectionSettings, LoadRequest, load_collection
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of

ARCHIVE = Path(__file__).parents[2].parent / "shared" / "archive"
CUTS = (100, 50, 20, 10, 5)
SEED = 11
FIXED_MEASURES = ("P@5", "P@10", "P@20", "P@100", "RBP(p=0.8)@10")
OTHER_MEASURES = ("AP", "nDCG@10")
QUERIES = Path(__file__).parent / "queries"


@dataclass(frozen=True)
class Source:
    """A collection of the archive, under the name that the tables have."""

    name: str
    folder: str
    threshold: int = 1

    def request(self, archive: Path) -> LoadRequest:
        """Return a request to load the whole collection."""
        folder = archive / self.folder
        return LoadRequest(
            self.name,
            run_files([folder / "runs"]),
            folder / "qrels.txt.gz",
            folder / "runs.csv",
            settings=CollectionSettings(relevance_threshold=self.threshold),
        )


SOURCES = (
    Source("TREC-2", "trec2-adhoc"),
    Source("TREC-8", "trec8-adhoc"),
    Source("TREC-COVID 1", "trec-covid-round1"),
    Source("DL 2021", "trec-dl-2021-passages"),
    Source("DL 2021, level 2", "trec-dl-2021-passages", 2),
)


def ask(
    connection: duckdb.DuckDBPyConnection, query: str, values: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """Return the rows of one of the queries beside this file."""
    text = (QUERIES / f"{query}.sql").read_text(encoding="utf-8")
    rows: pl.DataFrame = frame_of(connection.sql(text, params=values))
    return rows


def cut_requests(
    connection: duckdb.DuckDBPyConnection, source: Source, archive: Path, folder: Path
) -> Iterator[LoadRequest]:
    """Write the qrels of smaller pools, and yield requests to load them."""
    values = {"collection": source.name}
    (depth,) = connection.execute(
        "select pool_depth from dim_collections where collection_id = $collection", values
    ).fetchone() or (0,)
    descriptions = folder / f"{source.name}.csv"
    ask(connection, "descriptions", values).write_csv(descriptions)
    for cut in (each for each in CUTS if each < depth):
        qrels = folder / f"{source.name}, depth {cut}.txt.gz"
        rows = ask(connection, "cut_qrels", {**values, "depth": cut}).rows()
        with gzip.open(qrels, "wt", encoding="utf-8") as lines:
            lines.writelines(f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows)
        request = source.request(archive)
        yield replace(
            request,
            collection=f"{source.name}, depth {cut}",
            qrels=qrels,
            descriptions=descriptions,
            settings=CollectionSettings(relevance_threshold=source.threshold, pool_depth=cut),
        )


def build_all(warehouse: Warehouse) -> None:
    """Build every collection that changed, or raise PoolhouseError."""
    if failed := build(warehouse).failed:
        raise PoolhouseError("; ".join(failed))


def built(folder: Path, archive: Path) -> Warehouse:
    """Load and build the collections of the archive, the cut ones, and the simulated ones."""
    warehouse = Warehouse(folder / "evaluation.duckdb")
    for source in SOURCES:
        console.remark(f"loading {source.name}")
        load_collection(warehouse, source.request(archive))
    for simulated in simulate(folder / "simulated", SEED, RECIPES):
        load_collection(warehouse, as_pooled(simulated))
    console.remark("building")
    build_all(warehouse)
    for source in SOURCES:
        with warehouse.read() as connection:
            requests = list(cut_requests(connection, source, archive, folder))
        for request in requests:
            console.remark(f"loading {request.collection}")
            load_collection(warehouse, request)
    console.remark("building the cut pools")
    build_all(warehouse)
    return warehouse


def rows_of(warehouse: Warehouse) -> pl.DataFrame:
    """Return one row per collection, pooled run, measure and estimator: estimate and true score."""
    with warehouse.read() as connection:
        names = [
            name
            for (name,) in connection.sql(
                "select collection_id from dim_collections order by all"
            ).fetchall()
        ]
        frames = [ask(connection, "fixed_measures")]
        for name in names:
            for measure in OTHER_MEASURES:
                console.remark(f"{measure} of {name}")
                frames.append(
                    ask(connection, "other_measures", {"collection": name, "measure": measure})
                )
    return pl.concat(frames, how="diagonal_relaxed")


def errors_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row per collection, measure and estimator: errors with their standard errors.

    Standard errors are over organizations, because runs of one organization resemble each other.
    """
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        return ask(connection, "errors")


def shares_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row per class of unjudged shares: errors, and the coverage of intervals."""
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        return ask(connection, "shares")


def table(errors: pl.DataFrame, measure: str) -> str:
    """Return the errors by one measure as a Markdown table, a collection a line."""
    of_measure = errors.filter(measure=measure)
    estimators = of_measure["estimator"].unique(maintain_order=True).to_list()
    lines = [
        f"| {measure} | {' | '.join(estimators)} | 68 %, 95 % | tau |",
        "| --- |" + " --- |" * (len(estimators) + 2),
    ]
    for (name,), of_one in of_measure.group_by("collection_id", maintain_order=True):
        by_estimator = {row["estimator"]: row for row in of_one.iter_rows(named=True)}
        cells = [_error(by_estimator.get(each)) for each in estimators]
        own, plain = by_estimator["expected_relevance"], by_estimator["unadjusted"]
        coverage = " ".join(
            "" if own[each] is None else f"{own[each]:.2f}".removeprefix("0")
            for each in ("coverage_68", "coverage_95")
        )
        tau = f"{plain['kendall_tau']:.3f} {own['kendall_tau']:.3f}"
        lines.append(f"| {name} | {' | '.join(cells)} | {coverage} | {tau} |")
    return "\n".join(lines)


def _error(row: dict[str, float] | None) -> str:
    if row is None:
        return ""
    error, standard_error = (f"{row[each]:.4f}".removeprefix("0") for each in ("mae", "mae_se"))
    return f"{error} ±{standard_error}"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the collections.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the rows as CSV.",
)
def main(archive: Path, output: Path) -> None:
    """Measure the errors of all estimators, and print tables in Markdown."""
    output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        rows = rows_of(built(Path(folder), archive))
    rows.write_csv(output / "rows.csv")
    errors, shares = errors_of(rows), shares_of(rows)
    errors.write_csv(output / "errors.csv")
    shares.write_csv(output / "shares.csv")
    for measure in (*FIXED_MEASURES, *OTHER_MEASURES):
        sys.stdout.write(f"{table(errors, measure)}\n\n")
    with pl.Config(tbl_formatting="MARKDOWN", tbl_rows=-1, tbl_cols=-1, tbl_width_chars=200):
        sys.stdout.write(f"{shares}\n")


if __name__ == "__main__":
    main()
