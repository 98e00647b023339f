"""Run dbt itself on a warehouse, as a contributor would run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from poolhouse.building.project import project_folder
from poolhouse.building.settings import chosen_settings
from poolhouse.warehouse.file import Warehouse


def run_dbt(warehouse: Warehouse, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of dbt in the checkout; dbt keeps its files beside the warehouse."""
    scratch = warehouse.path.with_suffix(".dbt")
    return subprocess.run(
        [
            *(sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--no-use-colors"),
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
