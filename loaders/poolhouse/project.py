"""The dbt project: where its files are, and which state of them made a mart."""

import hashlib
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

_PARTS_OF_THE_MODELS = ("dbt_project.yml", "models", "macros", "seeds")


def project_folder() -> Path:
    """Tell where the dbt project lies: inside an installed wheel, else in the checkout."""
    package = Path(__file__).parent
    installed = package / "_dbt"
    return installed if installed.is_dir() else package.parents[1]


def cache_folder(warehouse: Path) -> Path:
    """Tell where dbt keeps what it has parsed and logged, a folder for each warehouse.

    dbt parses anew when the database's path is another than in its last run.
    """
    name = hashlib.sha256(str(warehouse.absolute()).encode()).hexdigest()[:16]
    return user_cache_path("poolhouse") / "dbt" / name


@cache
def models_version() -> str:
    """Hash everything that decides what a build makes: marts of another version are stale."""
    folder = project_folder()
    digest = hashlib.sha256()
    for part in _PARTS_OF_THE_MODELS:
        path = folder / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in {".sql", ".csv", ".yml"}:
                digest.update(str(file.relative_to(folder)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
