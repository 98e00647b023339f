"""Compare the speed of loading runs with scripts of a few lines that use polars or pandas.

The plain readers check nothing. From irregular files (most of TREC-2) they read wrong fields, or
leave lines out. They are timed nevertheless.
"""

import gzip
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import click
import duckdb
import pandas as pd
import polars as pl

from commands import ARCHIVE
from poolhouse.command_line import console
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import parse_run, read_source
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files, run_id_of
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import registered

_SCHEMA = {
    "query": pl.String,
    "q0": pl.String,
    "docno": pl.String,
    "rank": pl.Int32,
    "score": pl.Float64,
    "tag": pl.String,
}


def parse_with_poolhouse(runs: Sequence[Path]) -> None:
    """Read, hash, decompress, parse and check run files."""
    for path in runs:
        source = read_source(path)
        _ = source.sha256
        parse_run(source)


def parse_with_polars(runs: Sequence[Path]) -> None:
    """Read run files with polars' reader."""
    for path in runs:
        _read_with_polars(path)


def parse_with_pandas(runs: Sequence[Path]) -> None:
    """Read run files with pandas' reader in C, which gets the separator."""
    for path in runs:
        pd.read_csv(
            path,
            sep=_separator(path),
            header=None,
            names=list(_SCHEMA),
            quoting=3,
            on_bad_lines="skip",
            compression="gzip",
        )


def store_with_poolhouse(runs: Sequence[Path], collection: Path, folder: Path) -> None:
    """Load run files as the command does: parse, check, store, account and publish."""
    request = LoadRequest(collection.name, tuple(runs), collection / "qrels.txt.gz")
    load_collection(Warehouse(folder / "poolhouse.duckdb"), request)


def store_with_polars(runs: Sequence[Path], folder: Path) -> None:
    """Read run files with polars' reader, and write each frame to a table of a DuckDB file."""
    with duckdb.connect(str(folder / "plain.duckdb")) as connection:
        connection.execute(
            """
            create table lines (
                run text, query text, docno text, rank int, score double, tag text
            )
            """
        )
        for path in runs:
            lines = _read_with_polars(path).with_columns(run=pl.lit(run_id_of(path.name)))
            with registered(connection, "frame", lines):
                connection.execute(
                    """
                    insert into lines
                    select run, query, docno, rank, score, tag from frame
                    """
                )


def _read_with_polars(path: Path) -> pl.DataFrame:
    return pl.read_csv(
        path,
        separator=_separator(path),
        has_header=False,
        schema=_SCHEMA,
        quote_char=None,
        truncate_ragged_lines=True,
        ignore_errors=True,
        missing_columns="insert",
        extra_columns="ignore",
    )


def _separator(path: Path) -> str:
    with gzip.open(path, "rb") as file:
        return "\t" if b"\t" in file.readline() else " "


def _timed(work: Callable[..., None], *arguments: object) -> float:
    started = perf_counter()
    work(*arguments)
    return perf_counter() - started


def measure(collection: Path) -> dict[str, float]:
    """Time every way once, one after the other; return the seconds by task and tool."""
    runs = run_files([collection / "runs"])
    seconds = {
        "parse: poolhouse": _timed(parse_with_poolhouse, runs),
        "parse: polars": _timed(parse_with_polars, runs),
        "parse: pandas": _timed(parse_with_pandas, runs),
    }
    with tempfile.TemporaryDirectory() as folder:
        arguments = (runs, collection, Path(folder))
        seconds["parse + store: poolhouse"] = _timed(store_with_poolhouse, *arguments)
        seconds["parse + store: polars"] = _timed(store_with_polars, runs, Path(folder))
    return seconds


def summarize(collection: Path, measured: Sequence[dict[str, float]]) -> list[tuple[object, ...]]:
    """Return a row per way: MB/s of text at the median, seconds, and poolhouse's time over it."""
    runs = run_files([collection / "runs"])
    megabytes = sum(len(read_source(path).content) for path in runs) / 1e6
    rows: list[tuple[object, ...]] = []
    for way in measured[0]:
        seconds = [each[way] for each in measured]
        own = f"{way.split(':')[0]}: poolhouse"
        ratio = median(each[own] / each[way] for each in measured)
        spread = [f"{value:.2f}" for value in (median(seconds), min(seconds), max(seconds))]
        speed = f"{megabytes / median(seconds):.0f}"
        rows.append((collection.name, f"{megabytes:.0f}", way, speed, *spread, f"{ratio:.2f}"))
    return rows


@click.command()
@click.argument("collections", nargs=-1)
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the collections.",
)
@click.option("--repeat", type=click.IntRange(min=1), default=5, show_default=True)
def main(collections: tuple[str, ...], archive: Path, repeat: int) -> None:
    """Time the loading of COLLECTIONS (default: all of the archive)."""
    names = collections or sorted(path.name for path in archive.iterdir() if path.is_dir())
    rows: list[tuple[object, ...]] = []
    for name in names:
        rows += summarize(archive / name, [measure(archive / name) for _ in range(repeat)])
    columns = ["collection", "MB", "what", "MB/s", "median s", "least s", "most s", "own / this"]
    console.write_table(columns, rows, f"{os.cpu_count()} cores, {repeat} repeats")


if __name__ == "__main__":
    main()
