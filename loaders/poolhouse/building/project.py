"""The dbt project: the place of its files, and the version of their content."""

import hashlib
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_PARTS_OF_THE_PROJECT = (
    "dbt_project.yml",
    "models",
    "macros",
    "seeds",
    "tests/generic",
    "tests/singular",
    "analyses/papers",
)
_PARTS_OF_THE_COMPILING = (
    "building/plan",
    "warehouse/raw_schema.sql",
    "warehouse/experiments_schema.sql",
)


def project_folder() -> Path:
    """Return the folder of the dbt project: in an installed wheel, or else in the checkout."""
    installed = _PACKAGE / "_dbt"
    return installed if installed.is_dir() else _PACKAGE.parents[1]


def cache_folder() -> Path:
    """Return the folder of plans and of dbt's parsed state and logs."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - an installed wheel needs it rarely

    return user_cache_path("poolhouse")


@cache
def project_version(folder: Path) -> str:
    """Hash everything that determines a plan: the project's files, and the compiling code."""
    digest = hashlib.sha256()
    parts = [(folder, part) for part in _PARTS_OF_THE_PROJECT]
    parts += [(_PACKAGE, part) for part in _PARTS_OF_THE_COMPILING]
    for root, part in parts:
        path = root / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in {".sql", ".csv", ".yml", ".md", ".py"}:
                digest.update(str(file.relative_to(root)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
