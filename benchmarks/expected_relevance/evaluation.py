"""Measure the errors of all estimators on the archive and on simulated collections.

One organization at a time is left out of the pool, and the estimates of its runs are compared with
their scores in the whole pool. The pools are also cut to smaller depths: the qrels then hold only
the documents that a pooled run has down to that depth. The pool depth and the pooled runs of a cut
collection are declared. `README.md` has the tables.

    uv run python -m benchmarks.expected_relevance --output FOLDER

The folder gets the rows behind the tables as CSV.
"""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl
from attrs import evolve

from poolhouse.building.build import build
from poolhouse.building.settings import keep_setting
from poolhouse.command_line import console
from poolhouse.demo.archive import as_pooled
from poolhouse.demo.simulator import RECIPES, simulate
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of

from .kendall import KEY, taus
from .rivals import rivals
from .simulated import drawn_recipes

ARCHIVE = Path(__file__).parents[2].parent / "shared" / "archive"
CUTS = (100, 50, 20, 10, 5)
SEED = 11
FIXED_MEASURES = ("P@5", "P@10", "P@20", "P@100", "RBP(p=0.8)@10")
OTHER_MEASURES = ("AP", "nDCG@10")
# Columns of an unadjusted row that a rival has in another way, or not.
_REPLACED = ("estimator", "estimate", "half_width_68", "half_width_95")
_TOLERANCE = 1e-9
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
            descriptions=folder / "runs.csv",
            threshold=self.threshold,
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
        yield evolve(
            request,
            collection=f"{source.name}, depth {cut}",
            qrels=qrels,
            descriptions=descriptions,
            threshold=source.threshold,
            depth=cut,
        )


def build_all(warehouse: Warehouse) -> None:
    """Build every collection that changed, or raise PoolhouseError."""
    if failed := build(warehouse).failed:
        raise PoolhouseError("; ".join(failed))


def load_and_build(warehouse: Warehouse, folder: Path, archive: Path) -> None:
    """Load and build the collections of the archive, the cut ones, and the simulated ones.

    No measure is built but the ones that are read.
    """
    chosen = {name: list(FIXED_MEASURES) for name in ("bias_measures", "measures")}
    with warehouse.change(), warehouse.side() as connection:
        for name in chosen:
            keep_setting(connection, name, chosen)
    for source in SOURCES:
        console.remark(f"loading {source.name}")
        load_collection(warehouse, source.request(archive))
    for simulated in simulate(folder / "simulated", SEED, [*RECIPES, *drawn_recipes()]):
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
        rows = pl.concat(frames, how="diagonal_relaxed")
        added = [_rivals_of(connection, rows.filter(collection_id=name)) for name in names]
    return pl.concat([rows, *added], how="diagonal_relaxed").with_columns(
        is_archive=pl.col("collection_id").str.contains("^(TREC|DL)")
    )


def _rivals_of(connection: duckdb.DuckDBPyConnection, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of rivals that the warehouse does not have, of one collection."""
    plain = rows.filter(estimator="unadjusted")
    collection = plain["collection_id"][0]
    console.remark(f"rivals on {collection}")
    found = rivals(connection, collection, plain["measure"].unique(maintain_order=True))
    estimates = (
        plain.drop("estimator")
        .join(found, on=["run_id", "measure"], suffix="_of_rival")
        .select(
            *(name for name in rows.columns if name not in _REPLACED),
            "estimator",
            estimate=pl.coalesce("estimate_of_rival", pl.col("estimate") + pl.col("adjustment")),
        )
    )
    key = ["run_id", "measure", "estimator"]
    _refuse_differences(estimates.join(rows, on=key, suffix="_of_warehouse"))
    return estimates.join(rows, on=key, how="anti")


def _refuse_differences(in_both: pl.DataFrame) -> None:
    """Raise PoolhouseError where a rival that the warehouse has too differs from it."""
    differences = in_both["estimate"] - in_both["estimate_of_warehouse"]
    apart = float(differences.abs().to_numpy().max())
    if apart > _TOLERANCE:
        raise PoolhouseError(f"the estimates of a rival differ from the warehouse's by {apart}")


def with_depths(warehouse: Warehouse, rows: pl.DataFrame) -> pl.DataFrame:
    """Say whether the pool is as deep as the measure. AP looks at any rank."""
    with warehouse.read() as connection:
        depths = frame_of(connection.sql("select collection_id, pool_depth from dim_collections"))
    cutoff = pl.col("measure").str.extract(r"@(\d+)$").cast(pl.Int64).fill_null(0)
    return (
        rows.join(depths, on="collection_id")
        .with_columns(is_in_depth=cutoff <= pl.col("pool_depth"))
        .drop("pool_depth")
    )


def errors_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row per collection, measure and estimator: errors with their standard errors.

    Standard errors are over organizations, because runs of one organization resemble each other.
    """
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        errors = ask(connection, "errors")
    kinds = rows.select("collection_id", "measure", "is_archive", "is_in_depth").unique()
    return errors.join(taus(rows), on=KEY, maintain_order="left").join(
        kinds, on=["collection_id", "measure"], maintain_order="left"
    )


def shares_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row per class of unjudged shares: errors, and the coverage of intervals."""
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        return ask(connection, "shares")
