"""Run dbt's own tests: macros are tested on VALUES, and models on rows worked by hand."""

from pathlib import Path
from shutil import copyfile

import pytest

from plain_dbt import run_dbt
from poolhouse.building.project import project_folder
from poolhouse.loading.load import LoadRequest
from poolhouse.warehouse.file import Warehouse

SELECTED = ("--select", "tag:macro", "test_type:unit")
N_MACRO_TESTS = len(list((project_folder() / "tests" / "macros").glob("*.sql")))

BuiltOnce = tuple[Path, LoadRequest, Warehouse]


@pytest.mark.heavy
def test_macros_and_models(built_once: BuiltOnce, tmp_path: Path) -> None:
    """The command is run as a contributor runs it by hand (CONTRIBUTING.md).

    Unit tests ask a built warehouse for the columns of the models that they replace.
    """
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))
    done = run_dbt(warehouse, "test", *SELECTED)
    assert done.returncode == 0, done.stdout
    words = done.stdout.rpartition("Done. ")[2].split()
    totals = dict(each.split("=") for each in words if "=" in each)
    assert int(totals["PASS"]) == int(totals["TOTAL"]) > N_MACRO_TESTS
