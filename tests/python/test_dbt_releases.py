"""Test what releases of dbt other than the pinned one do (docs/decisions/dbt.md)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from poolhouse.building.plan import Plan, plan_of

# The next release, and those of its dependencies that the pinned release does not need. The package
# dbt-core-experimental-parser is left out: it cannot be had from a registry.
OTHER_DBT = "1.12.6"
ITS_PACKAGES = (f"dbt-core=={OTHER_DBT}", "metricflow==0.213.0", "python-dotenv==1.2.4")

COMPILE = """\
import sys
from pathlib import Path

from dbt.version import __version__
from poolhouse.building.plan.compiling import compile_plan
from poolhouse.building.project import project_folder
from poolhouse.errors import PlanError

scratch = Path(sys.argv[1])
try:
    plan = compile_plan(project_folder(), scratch, {})
except PlanError as error:
    sys.exit(str(error))
(scratch / "plan.json").write_text(plan.to_json(), encoding="utf-8")
print(__version__)
"""

# What the package `dbt` of dbt 2 puts in the place of dbt-core's module. This runner takes commands
# of dbt 1, and no manifest.
MAIN_OF_DBT_2 = """\
def cli() -> None: ...


class dbtRunner:
    def __init__(self, manifest=None): ...
"""


def compile_beside(packages: Path, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Compile the project in a process that finds these packages before the installed ones."""
    return subprocess.run(
        [sys.executable, "-c", COMPILE, str(scratch)],
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.heavy
def test_the_next_release_compiles_the_same_plan(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    subprocess.run(
        [
            *("uv", "pip", "install", "--quiet", "--no-config", "--no-deps"),
            *("--target", str(packages), *ITS_PACKAGES),
        ],
        check=True,
    )
    done = compile_beside(packages, tmp_path)
    assert done.stdout.split() == [OTHER_DBT], done.stderr
    theirs = Plan.from_json((tmp_path / "plan.json").read_text(encoding="utf-8"))
    ours = plan_of({})
    differing = {node.name for node in {*theirs.nodes} ^ {*ours.nodes}}
    assert not differing
    assert theirs == ours


@pytest.mark.parametrize("main", [MAIN_OF_DBT_2, None], ids=["installed", "uninstalled again"])
def test_dbt_2_in_the_same_environment_is_named(tmp_path: Path, main: str | None) -> None:
    """Its package has modules of the same names, and removing it removes them."""
    package = tmp_path / "dbt" / "cli"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    if main is not None:
        (package / "main.py").write_text(main)
    (package.parent / "version.py").write_text("__version__ = '2'")
    done = compile_beside(tmp_path, tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "package `dbt` (dbt 2)" in line
