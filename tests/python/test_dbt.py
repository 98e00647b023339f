"""Run dbt's own tests: macros are tested on VALUES, and models on rows worked by hand."""

from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from plain_dbt import run_dbt
from poolhouse.building.project import cache_folder, project_folder
from poolhouse.loading.load import LoadRequest
from poolhouse.warehouse.file import Warehouse

SELECTED = ("--select", "tag:macro", "test_type:unit")
N_MACRO_TESTS = len(list((project_folder() / "tests" / "macros").glob("*.sql")))

BuiltOnce = tuple[Path, LoadRequest, Warehouse]


@pytest.mark.heavy
def test_macros_and_models(
    built_once: BuiltOnce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests run in this process, which has imported dbt, on the project as it was parsed.

    Unit tests ask a built warehouse for the columns of the models that they replace.
    """
    from dbt.cli.main import dbtRunner  # noqa: PLC0415 - it takes seconds

    options = [
        *("--project-dir", str(project_folder()), "--profiles-dir", str(project_folder())),
        *("--target-path", str(cache_folder() / "dbt" / "target"), "--log-path", str(tmp_path)),
    ]
    quietly = ["--log-level", "none", "--log-level-file", "none"]
    manifest: Any = dbtRunner().invoke([*quietly, "parse", *options]).result
    # The file has the name that dbt's database had when the project was parsed, where no file
    # existed.
    file = copyfile(built_once[0], tmp_path / "memory.duckdb")
    monkeypatch.setenv("POOLHOUSE_DB", str(file))
    done: Any = dbtRunner(manifest).invoke([*quietly, "test", *SELECTED, *options])
    assert done.exception is None
    failed = {each.node.name: each.message for each in done.result if each.status != "pass"}
    assert failed == {}
    kinds = [each.node.resource_type.value for each in done.result]
    assert kinds.count("test") == N_MACRO_TESTS
    assert kinds.count("unit_test") == len(manifest.unit_tests) > 0


@pytest.mark.heavy
def test_macros_and_models_by_the_command(built_once: BuiltOnce, tmp_path: Path) -> None:
    """The command is run as a contributor runs it by hand (CONTRIBUTING.md)."""
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))
    done = run_dbt(warehouse, "test", *SELECTED)
    assert done.returncode == 0, done.stdout
    words = done.stdout.rpartition("Done. ")[2].split()
    totals = dict(each.split("=") for each in words if "=" in each)
    assert int(totals["PASS"]) == int(totals["TOTAL"]) > N_MACRO_TESTS
