"""Print the tables of docs/decisions/estimated_tests.md."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click
import polars as pl

from poolhouse.output.markdown import markdown
from poolhouse.warehouse.file import Warehouse

from . import simulated
from .later import MEASURES_JUDGED, Rounds
from .left_out import MEASURES, Pool
from .settling import settled, summary
from .stars import bands, false_alarms, stars

COLLECTIONS = ("trec2-adhoc", "trec8-adhoc", "trec-covid-round1", "trec-dl-2021-passages")
LATER = "trec-covid-round1"
UNKNOWN = (0.05, 0.2)


@click.command()
@click.option("--db", type=click.Path(path_type=Path), required=True, help="The four collections.")
@click.option("--later", type=click.Path(path_type=Path), required=True, help="Later qrels.")
def main(db: Path, later: Path) -> None:
    """Print stars, false alarms and settling lists: organizations left out, later, simulated."""
    with Warehouse(db).read() as connection:
        for measure in MEASURES:
            pairs = [
                pair for each in COLLECTIONS for pair in Pool(connection, each, measure).pairs()
            ]
            _write(f"{measure}, an organization left out: stars", bands(stars(pairs)))
            _write(
                f"{measure}, true difference 0: found, on drawn topics", bands(false_alarms(pairs))
            )
        rounds = Rounds(connection, LATER, later)
        for measure in MEASURES_JUDGED:
            for unknown in UNKNOWN:
                title = f"{measure}, later judgements, at most {unknown:.0%} unknown: stars"
                _write(title, bands(rounds.stars(measure, unknown)))
        for measure in MEASURES[:2]:
            told = [
                {"collection": each, **summary(settled(Pool(connection, each, measure)))}
                for each in COLLECTIONS
            ]
            _write(f"{measure}: judgements that settle a comparison", pl.DataFrame(told))
    with TemporaryDirectory() as folder:
        _write("Simulated, true difference 0: found", simulated.false_alarms(Path(folder)))


def _write(title: str, rows: pl.DataFrame) -> None:
    click.echo(markdown([(title, rows.columns, rows.rows())]))


if __name__ == "__main__":
    main()
