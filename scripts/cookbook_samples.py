"""Write the samples at the end of analyses/*.sql: the results of the queries on the demo.

`just cookbook` runs this script. With --check, it fails where a sample differs from the result of
its query.
"""

import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.console import Console

from poolhouse.command_line.main import main as poolhouse
from poolhouse.command_line.tables import print_table
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import PAPERS, Entry, cookbook_folder, entries
from poolhouse.warehouse.file import Warehouse

N_ROWS = 5
# The samples stand in comments of files that are 80 characters wide.
WIDTH = 77


@click.command()
@click.option(
    "--db",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A warehouse that the demo built.  [default: a new one]",
)
@click.option("--check", is_flag=True, help="Write nothing, fail where a sample is not current.")
def main(db: Path | None, check: bool) -> None:
    """Write the samples, or compare the samples of the files with new ones."""
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(db or Path(folder) / "demo.duckdb")
        if not db:
            poolhouse(["demo", "--db", str(warehouse.path)], standalone_mode=False)
        plain = [entry for entry in entries() if entry.about != PAPERS]
        samples = {entry.name: sample_of(entry, warehouse) for entry in plain}
    stale = [entry for entry in plain if entry.sample != samples[entry.name]]
    if check and stale:
        names = ", ".join(entry.name for entry in stale)
        sys.exit(f"samples that are not what the demo gives: {names}: just cookbook")
    for entry in stale:
        file = cookbook_folder() / f"{entry.name}.sql"
        file.write_text(with_sample(entry, samples[entry.name]), encoding="utf-8")


def sample_of(entry: Entry, warehouse: Warehouse) -> str:
    """Return the first rows of the answer, as a terminal of this width shows them."""
    result = answer(warehouse, entry, entry.sample_values)
    shown = StringIO()
    console = Console(
        file=shown, width=WIDTH, force_terminal=True, color_system=None, highlight=False
    )
    print_table(console, result.columns, result.rows[:N_ROWS], "")
    lines = [line.rstrip() for line in shown.getvalue().splitlines()]
    return "\n".join([*lines, *_of_how_many(result.rows)])


def _of_how_many(rows: Sequence[object]) -> list[str]:
    return [f"{N_ROWS} of {len(rows)} rows"] if len(rows) > N_ROWS else []


def with_sample(entry: Entry, sample: str) -> str:
    """Return the file with another sample."""
    before, mark, rest = entry.text.rpartition("\n-- sample:")
    options = rest.partition("\n")[0]
    return f"{before}{mark}{options}\n" + "".join(f"-- {line}\n" for line in sample.splitlines())


if __name__ == "__main__":
    main()
