"""Test that no quick command imports a package that only other commands need.

Times differ between machines, and imports do not. `benchmarks/waits.py` measures the
times.
"""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

from poolhouse.command_line.main import main
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

# This script runs a command, and lists the imported packages that are not Python's own.
_LISTED = """
import json, sys
before = {*sys.modules, *sys.stdlib_module_names, "poolhouse"}
from poolhouse.command_line.main import main

try:
    main(sys.argv[1:], prog_name="poolhouse")
finally:
    packages = {name.partition(".")[0] for name in sys.modules}
    print(json.dumps(sorted(packages - before)), file=sys.stderr)
"""

# These packages are for the engine, for tables in the terminal, and for the user's folders.
_OF_QUICK_ONES = {"click", "duckdb", "_duckdb", "platformdirs", "rich"}


def imported(*arguments: str | Path) -> set[str]:
    """Return the packages that a command imports."""
    done = subprocess.run(
        [sys.executable, "-c", _LISTED, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout or done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--version",), *((name, "--help") for name in sorted(main.commands))],
)
def test_a_help_text_waits_for_nothing(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) <= {"attr", "attrs", "click"}


@pytest.mark.some(1)
@pytest.mark.parametrize("arguments", [("status",), ("sql", "select 1")])
def test_a_look_at_the_warehouse_waits_for_the_engine_alone(
    loaded: Warehouse, arguments: tuple[str, ...]
) -> None:
    assert imported(*arguments, "--db", loaded.path) <= _OF_QUICK_ONES


def test_a_build_with_nothing_to_do_waits_for_the_engine_alone(
    built_once: tuple[Path, LoadRequest, Warehouse], warehouse: Warehouse
) -> None:
    warehouse.path.parent.mkdir()
    copyfile(built_once[0], warehouse.path)
    assert imported("build", "--db", warehouse.path) <= _OF_QUICK_ONES


@pytest.mark.heavy
def test_a_check_waits_for_no_chart_and_no_other_source(
    built_once: tuple[Path, LoadRequest, Warehouse], warehouse: Warehouse
) -> None:
    warehouse.path.parent.mkdir()
    copyfile(built_once[0], warehouse.path)
    unneeded = {"altair", "boto3", "botocore", "jsonschema", "mistune", "narwhals", "pyspark"}
    assert not imported("check", "--db", warehouse.path) & unneeded
