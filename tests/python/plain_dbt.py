"""Run dbt itself on a warehouse, as a contributor would run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from poolhouse.building.project import project_folder
from poolhouse.building.settings import chosen_settings
from poolhouse.warehouse.file import Warehouse

# Collecting garbage takes a tenth of the time, and a log of every event another one.
_WITHOUT_COLLECTING = "import gc; gc.disable(); from dbt.cli.main import cli; cli()"


def run_dbt(warehouse: Warehouse, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of dbt in the checkout; dbt keeps its files beside the warehouse."""
    scratch = warehouse.path.with_suffix(".dbt")
    return subprocess.run(
        [
            *(sys.executable, "-c", _WITHOUT_COLLECTING),
            *("--no-use-colors", "--log-level-file", "none", "--no-write-json"),
            *arguments,
            *("--project-dir", str(project_folder()), "--profiles-dir", str(project_folder())),
            *("--target-path", str(scratch / "target"), "--log-path", str(scratch / "logs")),
        ],
        env={**os.environ, "POOLHOUSE_DB": str(Path(warehouse.path).absolute())},
        capture_output=True,
        text=True,
        check=False,
    )


def vars_of(warehouse: Warehouse) -> tuple[str, str]:
    """Return the option with which dbt compiles the models for the settings of the warehouse."""
    with warehouse.read() as connection:
        return "--vars", json.dumps(chosen_settings(connection))
