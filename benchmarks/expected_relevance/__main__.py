"""Evaluate expected relevance; print the tables of expected_relevance/README.md in Markdown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from poolhouse.command_line import console
from poolhouse.output.markdown import markdown
from poolhouse.warehouse.file import Warehouse

from . import adversaries, archive_adversaries, evaluation, small_pools, tables, unlike

PARTS = ("errors", "small-pools", "unlike", "adversaries")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=evaluation.ARCHIVE,
    help="Folder of the collections.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the rows as CSV.",
)
@click.option(
    "--warehouse",
    "kept",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the collections in this warehouse, or use it where it is there.",
)
@click.option("--part", "parts", type=click.Choice(PARTS), multiple=True, default=PARTS)
def main(archive: Path, output: Path, kept: Path | None, parts: tuple[str, ...]) -> None:
    """Measure the errors of all estimators on the archive and on simulated collections."""
    output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(kept or Path(folder) / "evaluation.duckdb")
        if not warehouse.path.exists():
            with _timed("load and build"):
                evaluation.load_and_build(warehouse, Path(folder), archive)
        if "errors" in parts:
            with _timed("errors"):
                _errors(warehouse, output)
        if "small-pools" in parts:
            with _timed("small pools"):
                rows = small_pools.measured(warehouse, Path(folder))
            rows.write_csv(output / "small_pools.csv")
            sys.stdout.write(markdown([small_pools.table(rows)]))
        if "unlike" in parts:
            with _timed("short lists and families"):
                rows = unlike.measured(warehouse, archive, Path(folder))
            rows.write_csv(output / "unlike.csv")
            sys.stdout.write(unlike.tables(rows))
        if "adversaries" in parts:
            with _timed("adversaries"):
                rows = adversaries.measured(adversaries.COLLECTIONS, adversaries.SEED)
            rows.write_csv(output / "adversaries.csv")
            sys.stdout.write(adversaries.table(rows))
            sys.stdout.write(markdown([archive_adversaries.table(warehouse)]))


def _errors(warehouse: Warehouse, output: Path) -> None:
    rows = evaluation.with_depths(warehouse, evaluation.rows_of(warehouse))
    rows.write_csv(output / "rows.csv")
    errors, shares = evaluation.errors_of(rows), evaluation.shares_of(rows)
    errors.write_csv(output / "errors.csv")
    shares.write_csv(output / "shares.csv")
    measures = (*evaluation.FIXED_MEASURES, *evaluation.OTHER_MEASURES)
    sys.stdout.write(tables.tables(errors, shares, measures))
    sys.stdout.flush()


@contextmanager
def _timed(part: str) -> Iterator[None]:
    started = perf_counter()
    yield
    console.remark(f"{part}: {perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
