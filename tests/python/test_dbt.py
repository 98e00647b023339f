"""dbt's own tests: of the macros over VALUES, of the models on rows worked by hand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from poolhouse.project import project_folder


@pytest.mark.parametrize(
    ("selection", "at_least"), [("tag:macro", 15), ("test_type:unit", 15)], ids=["macros", "models"]
)
def test_dbt(selection: str, at_least: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "dbt.cli.main", "--no-use-colors", "test"),
            *("--project-dir", str(project_folder())),
            *("--profiles-dir", str(project_folder())),
            *("--target-path", str(tmp_path / "target"), "--log-path", str(tmp_path / "logs")),
            *("--select", selection),
        ],
        env={**os.environ, "POOLHOUSE_SIDE_FILE": str(tmp_path / "dbt.duckdb")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    totals = dict(
        each.split("=") for each in done.stdout.split("Done. ")[-1].split() if "=" in each
    )
    assert int(totals["PASS"]) == int(totals["TOTAL"]) >= at_least
