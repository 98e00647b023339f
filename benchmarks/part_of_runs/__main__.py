"""Measure what a part of the pooled runs tells; print the tables of docs/part_of_the_runs.md."""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import duckdb
import numpy as np
import polars as pl

import commands
from expected_relevance.evaluation import build_all
from expected_relevance.small_pools import write_lines
from poolhouse.building.settings import keep_setting
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_id_of
from poolhouse.output.markdown import markdown
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

from .drawing import draw

DRAWS, SEED = 200, 58
SIZES = ("3", "5", "8", "12", "20", "half", "all")
# Numbers of organizations that are held out in a draw, and of draws that are built.
HELD_OUT = {
    "trec-covid-round1": (4, 4),
    "trec-dl-2021-passages": (2, 4),
    "trec2-adhoc": (2, 4),
    "trec8-adhoc": (3, 3),
}
_MEASURES = ["P@10", "RBP(p=0.8)@10"]  # the second is the main one, which every build needs
TABLES: dict[str, dict[str, object]] = {
    "bounds": {},
    "bands by loaded": {"by": "loaded", "edges": [0, 10, 25, 50, 60, 70, 80]},
    "bands by explained": {"by": "explained", "edges": [0, 20, 30, 40, 50, 60, 65, 70]},
    "errors": {},
}


def _query(name: str) -> str:
    return (Path(__file__).parent / "queries" / f"{name}.sql").read_text(encoding="utf-8")


def ask(connection: duckdb.DuckDBPyConnection, name: str, **values: object) -> pl.DataFrame:
    """Return the rows of a query beside this file."""
    return rows_of(connection, _query(name), values)


def figures(warehouse: Warehouse, collection: str) -> pl.DataFrame:
    """Return the figures of each draw. Sizes have equal ratios, from three runs to all.

    Raise PoolhouseError where the figures of all runs are not those of the warehouse.
    """
    stream = np.random.default_rng(SEED)
    with warehouse.read() as connection:
        connection.execute("set variable collection = ?", [collection])
        connection.execute(_query("tables"))
        runs = ask(connection, "pool", collection=collection)["run_key"].to_numpy()

        def figures_of(part: np.ndarray[Any, Any]) -> dict[str, Any]:
            connection.register("runs", ask(connection, "runs", runs=part.tolist()).to_arrow())
            return ask(connection, "figures").row(0, named=True)

        whole = figures_of(runs)
        for rule, figure in ask(connection, "verdicts", collection=collection).rows():
            if rule in whole and not np.isclose(whole[rule], figure, atol=1e-4):
                raise PoolhouseError(f"{rule} of {collection} is {figure}, and not {whole[rule]}")
        connection.execute("insert into whole select run_key, n_unjudged, ap_left_out from runs")
        sizes = np.geomspace(3, len(runs), DRAWS).round().astype(int)
        found = [figures_of(stream.choice(runs, size, replace=False)) for size in sizes]
    return pl.DataFrame(found, infer_schema_length=None).with_columns(
        source=pl.lit(collection),
        loaded=pl.col("n_runs") / len(runs),
        unjudged_ratio=pl.col("unjudged_left_out") / whole["unjudged_left_out"],
    )


def estimates(warehouse: Warehouse, archive: Path, folder: Path) -> pl.DataFrame:
    """Load and build parts; return one row per held-out run, part, measure and estimator."""
    parts = Warehouse(folder / f"{archive.name}.duckdb")
    with parts.change(), parts.side() as connection:
        chosen = dict.fromkeys(("bias_measures", "measures"), _MEASURES)
        for name in chosen:
            keep_setting(connection, name, chosen)
        for request in _requests(warehouse, archive, folder):
            load_into(connection, request)
    build_all(parts)
    with parts.read() as connection:
        by_p = ask(connection, "estimates")
        names = by_p["collection_id"].unique(maintain_order=True)
        by_ap = [ask(connection, "estimates_by_ap", collection=name) for name in names]
    return pl.concat([by_p, *by_ap], how="diagonal_relaxed")


def _requests(warehouse: Warehouse, archive: Path, folder: Path) -> Iterator[LoadRequest]:
    """Write the qrels and the descriptions of each draw, and yield requests to load its parts.

    The qrels lack what the held-out organizations alone contributed. Their runs are loaded as runs
    that were not pooled. All other pooled runs are declared, and a part of them is loaded.
    """
    files = {run_id_of(file.name): file for file in (archive / "runs").iterdir()}
    n_held, draws = HELD_OUT[archive.name]
    stream = np.random.default_rng(SEED)
    with warehouse.read() as connection:
        pool = ask(connection, "pool", collection=archive.name)
    organizations = sorted(pool["organization_key"].unique())
    for number in range(draws):
        held = stream.choice(organizations, n_held, replace=False).tolist()
        qrels, descriptions = (folder / f"{archive.name},{number}.{end}" for end in ("gz", "csv"))
        with warehouse.read() as connection:
            write_lines(qrels, ask(connection, "qrels", collection=archive.name, held=held))
        runs = pool.with_columns(pooled=~pl.col("organization_key").is_in(held))
        runs.select(pl.col("run_id").alias("run"), "organization", "pooled").write_csv(descriptions)
        theirs, others = (runs.filter(pooled=each)["run_id"] for each in (False, True))
        order = stream.permutation(others).tolist()
        numbers = {"half": len(order) // 2, "all": len(order)}
        for size in SIZES:
            part = order[: numbers.get(size) or int(size)]
            yield LoadRequest(
                f"{archive.name},{number},{size}",
                tuple(files[run] for run in [*theirs, *part]),
                qrels,
                descriptions=descriptions,
                depth=int(pool["pool_depth"][0]),
            )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--archive", type=click.Path(exists=True, path_type=Path), default=commands.ARCHIVE)
@click.option("--output", type=click.Path(path_type=Path), required=True)
def main(archive: Path, output: Path) -> None:
    """Draw parts of the pooled runs, and compare what they tell with what all tell.

    The folder `output` gets the rows, the figure, and the warehouse, which is used again.
    """
    output.mkdir(parents=True, exist_ok=True)
    warehouse = Warehouse(output / "whole.duckdb")
    if not warehouse.path.exists():
        for name in HELD_OUT:
            commands.load(archive / name, warehouse.path)
        commands.build(warehouse.path)
    all_rows = {"drawn": pl.concat(figures(warehouse, name) for name in HELD_OUT)}
    with TemporaryDirectory() as folder:
        parts = (estimates(warehouse, archive / name, Path(folder)) for name in HELD_OUT)
        all_rows["estimated"] = pl.concat(parts)
    with warehouse.read() as connection:
        for name, rows in all_rows.items():
            rows.write_csv(output / f"{name}.csv")
            connection.register(name, rows.to_arrow())
        found = {name: ask(connection, name.split()[0], **each) for name, each in TABLES.items()}
    draw(all_rows["drawn"], found["errors"], output / "part_of_the_runs.png")
    sys.stdout.write(markdown((name, rows.columns, rows.rows()) for name, rows in found.items()))


if __name__ == "__main__":
    main()
