"""Test the command `experiment` at the prompt: its figures, and results that nobody reads."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

from asking import invoke
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy


@pytest.fixture
def built(experiments_once: Warehouse, tmp_path: Path) -> Warehouse:
    folder = tmp_path / "built"
    folder.mkdir()
    return Warehouse(Path(copyfile(experiments_once.path, folder / "poolhouse.duckdb")))


def prompt(warehouse: Warehouse, *options: str) -> list[str]:
    command = [sys.executable, "-m", "poolhouse", "experiment", "bias", "--collection", "random"]
    drawn = ["--samples", "2", "--depth", "4", "--widths", "2,4", "--db", str(warehouse.path)]
    return [*command, *drawn, *options]


@pytest.mark.parametrize(
    ("figure", "status", "message"),
    [
        ("x.nonsense", 1, "the end of the name must be a format: svg, "),
        ("x", 1, "the end of the name must be a format: svg, "),
        ("nowhere/x.svg", 1, "no such folder"),
        (f"{'x' * 251}.svg", 1, "cannot be written: "),
        ("folder.svg", 2, "is a directory"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused_first(
    built: Warehouse, figure: str, status: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (built.path.parent / "folder.svg").mkdir()
    monkeypatch.setattr("poolhouse.experiments.running.run_experiment", pytest.fail)
    options = prompt(built, "--figure", str(built.path.parent / figure))[3:]
    done = invoke(*options)
    assert done.exit_code == status, done.output
    assert message in done.stderr
    assert done.stderr.startswith("Usage: ") or len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("output", ["table", "csv", "json"])
def test_no_figure_is_drawn_of_a_result_that_nobody_reads(built: Warehouse, output: str) -> None:
    """The reader of the pipe that gets the result has closed it."""
    figure = built.path.parent / "x.svg"
    command = prompt(built, "--figure", str(figure), "--format", output)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert not figure.exists()
    assert "Traceback" not in done.stderr
    assert "figure:" not in done.stderr
    # the computed results are published all the same; another command shows and draws them
    shown = invoke(*command[3:])
    assert shown.exit_code == 0
    assert "stored on" in shown.stderr
    assert f"figure: {figure}" in shown.stderr.splitlines()
    assert figure.exists()


def test_without_standard_output_nothing_is_begun(built: Warehouse) -> None:
    figure = built.path.parent / "x.svg"
    shell = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *prompt(built, "--figure", str(figure))],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (shell.returncode, figure.exists()) == (1, False)
    assert shell.stderr == "Error: standard output is closed: there is nowhere to show the result\n"


def test_what_is_stored_is_shown_without_drawing_it_again(built: Warehouse) -> None:
    """The libraries for figures, whose import takes longest, are not imported either."""
    command = prompt(built)
    first = invoke(*command[3:])
    [named] = [line for line in first.stderr.splitlines() if line.startswith("figure: ")]
    figure = Path(named.removeprefix("figure: "))
    before = figure.stat().st_mtime_ns
    traced = [command[0], "-X", "importtime", *command[1:]]
    again = subprocess.run(traced, capture_output=True, text=True, check=True)
    assert again.stdout == first.stdout
    assert f"figure: {figure}" in again.stderr.splitlines()
    assert "poolhouse.experiments.findings" in again.stderr
    assert "altair" not in again.stderr
    assert "vl_convert" not in again.stderr
    assert figure.stat().st_mtime_ns == before
    figure.unlink()
    assert invoke(*command[3:]).exit_code == 0
    assert figure.exists()
    os.utime(figure, (0, 0))
    assert invoke(*command[3:]).exit_code == 0
    assert figure.stat().st_mtime > 1
