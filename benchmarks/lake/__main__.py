"""Build a simulated archive in one warehouse, and as a lake on several engines."""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from poolhouse.command_line import console

from . import simulated
from .building import lake_figures, plain_figures
from .servers import Server, serving_sail, serving_spark
from .tables import write_tables

_SLOTS = 2


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--collections", default=100, show_default=True, help="Number of collections.")
@click.option("--smallest", default=1_000, show_default=True, help="Lines of the smallest one.")
@click.option("--largest", default=1_000_000, show_default=True, help="Lines of the largest one.")
@click.option(
    "--spark-home",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The whole of Spark 4, such as the folder of the package pyspark in another environment: "
    "a standalone cluster of it is started, with one and with two workers.",
)
@click.option("--spark", multiple=True, metavar="URL", help="One more engine by its address.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the temporary folder is made.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the figures, as CSV and as a table in Markdown.",
)
def main(
    collections: int,
    smallest: int,
    largest: int,
    spark_home: Path | None,
    spark: tuple[str, ...],
    folder: Path | None,
    output: Path,
) -> None:
    """Time an archive of collections whose sizes are spread over orders of magnitude."""
    output.mkdir(parents=True, exist_ok=True)
    shapes = simulated.shapes(collections, smallest, largest)
    with TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
        place = Path(name)
        # The servers have the same cache: every engine begins with the compiled plan.
        os.environ["XDG_CACHE_HOME"] = str(place / "cache")
        archive = simulated.simulate(place, shapes)
        console.remark(f"{collections} collections, {sum(each.n_lines for each in shapes)} lines")
        measured = [plain_figures(archive, place / "warehouse.duckdb")]
        console.remark(measured[-1].told())
        write_tables(output, measured)
        for engine, serving in _engines(spark_home, spark, place):
            with serving as server:
                measured.append(lake_figures(engine, archive, place / "lake", server))
            shutil.rmtree(place / "lake")
            console.remark(measured[-1].told())
            write_tables(output, measured)  # a later engine may fail


def _engines(
    spark_home: Path | None, urls: tuple[str, ...], folder: Path
) -> Iterator[tuple[str, AbstractContextManager[Server | None]]]:
    """Yield the name of each engine, and what starts its servers."""
    yield "here", nullcontext()
    yield f"Sail, {_SLOTS} slots", serving_sail(_SLOTS)
    for workers in (1, 2) if spark_home else ():
        assert spark_home  # noqa: S101 - for the types
        plural = "s" if workers > 1 else ""
        of_spark = serving_spark(spark_home.absolute(), workers, folder)
        yield f"Spark, {workers} worker{plural}", of_spark
    for url in urls:
        yield url, nullcontext(Server(url, []))


if __name__ == "__main__":
    main()
