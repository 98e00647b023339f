"""Build as hatchling does, and put the compiled plan into a wheel.

An editable install needs no such file: a checkout makes its own (poolhouse.building.plan.storage).
"""

import shutil
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling import build as hatchling
from hatchling.build import *  # noqa: F403 - everything that this module does not redefine

_ROOT = Path(__file__).parents[1]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the package's dependencies, which compile the plan."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    hatch = hatchling.get_requires_for_build_wheel(config_settings)
    return [*hatch, *project["dependencies"]]


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Compile the plan with the project's own settings, and build the wheel."""
    sys.path.insert(0, str(_ROOT / "loaders"))
    from poolhouse.building.plan.compiling import compile_plan  # noqa: PLC0415
    from poolhouse.building.plan.storage import SHIPPED, name_of, write_plan  # noqa: PLC0415

    shutil.rmtree(SHIPPED, ignore_errors=True)
    with TemporaryDirectory() as scratch:
        write_plan(compile_plan(_ROOT, Path(scratch), {}), SHIPPED / name_of({}))
    return str(hatchling.build_wheel(wheel_directory, config_settings, metadata_directory))
