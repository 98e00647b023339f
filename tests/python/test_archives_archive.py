"""Test archives of the real collections: they are loaded together, and reported on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from archive import TREC2, TREC8, TREC_COVID
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.archive

DOCS = Path(__file__).parents[2] / "docs"
MOST_MEGABYTES = 2000

# This script runs a command and prints the command's peak memory in KiB. A separate process is
# needed: the system's figure for an ended process includes the process of the tests, from which it
# was forked.
_WITH_MEMORY = r"""
import re
from pathlib import Path

from poolhouse.command_line.main import main

try:
    main()
finally:
    print(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1])
"""

COLLECTIONS = (TREC2, TREC8, TREC_COVID)
_ENTRY = """\
- collection: {name}
  track: {track}
  year: {year}
  runs: {folder}/runs
  qrels: {folder}/qrels.txt.gz
  descriptions: {folder}/{descriptions}
  official-results: {folder}/nist/results.md
"""
_DATES = {"trec2-adhoc": ("trec", 1993), "trec8-adhoc": ("trec", 1999)}


def write_archive(folder: Path) -> Path:
    """Write a list of the three collections, with paths that are relative to the list."""
    text = ""
    for each in COLLECTIONS:
        track, year = _DATES.get(each.name, ("trec-covid", 2020))
        found = Path(os.path.relpath(each.folder, folder))
        text += _ENTRY.format(
            name=each.name, track=track, year=year, folder=found, descriptions=each.descriptions
        )
        text += f"  depth: {each.pool_depth}\n" if each.pool_depth else ""
    file = folder / "archive.yml"
    file.write_text(text)
    return file


def test_three_collections_are_loaded_together(
    tmp_path: Path, marts: duckdb.DuckDBPyConnection, say: Callable[[str], None]
) -> None:
    """The files and their numbers of rows are the same as after three single loads."""
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    arguments = ("load", "--archive", str(write_archive(tmp_path)), "--db", str(warehouse.path))
    command = [sys.executable, "-c", _WITH_MEMORY, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    # DuckDB shows its progress before, where a program has no file and takes longer than 2 s.
    *_, kilobytes = done.stdout.split()
    megabytes = int(kilobytes) / 1024
    say(f"three collections: {megabytes:.0f} MB")
    assert megabytes < MOST_MEGABYTES
    accounts = """
        select collection_id, kind, name, sha256, n_lines, n_rows, n_rejected, n_duplicates
        from ops.files order by all
    """
    with warehouse.read() as connection:
        assert connection.execute(accounts).fetchall() == marts.execute(accounts).fetchall()
        dates = connection.execute(
            "select collection_id, track, year from raw.collections order by year"
        ).fetchall()
    assert dates == [
        ("trec2-adhoc", "trec", 1993),
        ("trec8-adhoc", "trec", 1999),
        ("trec-covid-round1", "trec-covid", 2020),
    ]


def test_the_figures_of_the_page(marts: duckdb.DuckDBPyConnection) -> None:
    """Every figure of the page's table is as the page has it."""

    def share(value: float, digits: int = 3) -> str:
        return f"{value:.{digits}f}".removeprefix("0")

    columns = """
        pool_depth, pool_depth_source, judged_share_at_10, judged_share_at_100,
        unjudged_share_of_unpooled, bias_ap, relative_bias_ap, bias_p10, relative_bias_p10
    """
    found = []
    for each in COLLECTIONS:
        [row] = marts.execute(
            f"select {columns} from audits.rpt_archive where collection_id = ?", [each.name]
        ).fetchall()
        depth, source, at_10, at_100, unjudged, ap, relative_ap, p10, relative_p10 = row
        found.append(
            [
                f"{depth} ({source})",
                *map(share, (at_10, at_100, unjudged)),
                f"{share(ap, 4)}, {relative_ap:.1%}".replace("%", " %"),
                f"{share(p10, 4)}, {relative_p10:.1%}".replace("%", " %"),
            ]
        )
    page = (DOCS / "archives.md").read_text(encoding="utf-8")
    table = page.partition("| | TREC-2 |")[2].partition("\n\n")[0].splitlines()[2:]
    written = [[cell.strip() for cell in line.split("|")[2:-1]] for line in table]
    assert written == [list(row) for row in zip(*found, strict=True)]
