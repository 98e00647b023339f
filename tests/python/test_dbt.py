"""dbt's own tests: of the macros over VALUES, of the models on rows worked by hand."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from poolhouse.loading import LoadRequest
from poolhouse.project import cache_folder, project_folder
from poolhouse.warehouse import Warehouse


def test_macros_and_models(built_once: tuple[Path, LoadRequest, Warehouse]) -> None:
    """Unit tests ask a built warehouse for the columns of the models that they replace."""
    copy, _, warehouse = built_once
    shutil.copyfile(copy, warehouse.side_path)
    folder = cache_folder()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "dbt.cli.main", "--no-use-colors", "test"),
            *("--project-dir", str(project_folder())),
            *("--profiles-dir", str(project_folder())),
            *("--target-path", str(folder / "target"), "--log-path", str(folder / "logs")),
            *("--select", "tag:macro", "test_type:unit"),
        ],
        env={**os.environ, "POOLHOUSE_SIDE_FILE": str(warehouse.side_path.absolute())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    words = done.stdout.rpartition("Done. ")[2].split()
    totals = dict(each.split("=") for each in words if "=" in each)
    n_macro_tests = len(list((project_folder() / "tests" / "macros").glob("*.sql")))
    assert int(totals["PASS"]) == int(totals["TOTAL"]) > n_macro_tests
