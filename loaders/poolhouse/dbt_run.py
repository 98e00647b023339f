"""dbt, run in this process over the collections that were announced, on the side file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from poolhouse.errors import BuildFailedError
from poolhouse.memory import VARIABLE, memory_limit
from poolhouse.project import cache_folder, models_version, project_folder
from poolhouse.warehouse import Warehouse, first_line

if TYPE_CHECKING:
    from dbt.contracts.graph.manifest import Manifest
    from dbt_common.events.base_types import EventMsg

# Told after every finished model, seed or test: its name, how many are done, and of how many.
Progress = Callable[[str, int, int], None]

# Views and seeds are as they were while the models are: tests run on them all the same.
_ONLY_WHAT_HOLDS_ROWS = (
    "--select",
    *(
        f"config.materialized:{kind}"
        for kind in ("by_collection", "by_run", "by_pool", "pool_definition", "numbering")
    ),
    "resource_type:test",
)

_QUIETLY = ("--log-level", "none", "--log-level-file", "debug", "--no-version-check")

_MANIFESTS: dict[tuple[Path, str, str], "Manifest"] = {}

_PROBLEMS_SHOWN = 5
_PROBLEM_LENGTH = 300


def run_dbt(warehouse: Warehouse, *, full_refresh: bool, progress: Progress) -> None:
    """Make and test the marts of the collections that are announced in the side file.

    With `full_refresh` everything is made from nothing, views and seeds too. Errors:
    BuildFailedError.
    """
    progress("reading the models", 0, 0)
    # Importing dbt takes seconds: commands that need none of it must not pay for it.
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager  # noqa: PLC0415
    from dbt.cli.main import dbtRunner  # noqa: PLC0415

    folder = cache_folder(warehouse.path)
    os.environ["POOLHOUSE_SIDE_FILE"] = str(warehouse.side_path.absolute())
    os.environ[VARIABLE] = memory_limit()
    try:
        outcome = dbtRunner(_manifest(warehouse), callbacks=[_Counter(progress)]).invoke(
            [
                *_QUIETLY,
                "build",
                *_paths(folder),
                *("--exclude-resource-type", "unit_test"),
                *("--exclude", "tag:macro"),
                *(["--full-refresh"] if full_refresh else _ONLY_WHAT_HOLDS_ROWS),
            ]
        )
    finally:
        DuckDBConnectionManager.close_all_connections()  # type: ignore[no-untyped-call]
    if isinstance(outcome.exception, KeyboardInterrupt):
        raise outcome.exception
    if not outcome.success:
        raise BuildFailedError(_problems(outcome), folder / "logs" / "dbt.log")


def _manifest(warehouse: Warehouse) -> "Manifest":
    """Read the models, which takes seconds, once for all builds of this process.

    What dbt reads depends on nothing of the warehouse but the name of the side file, which is that
    of its database. Errors: BuildFailedError.
    """
    from dbt.cli.main import dbtRunner  # noqa: PLC0415 - see above

    key = (project_folder(), models_version(), warehouse.side_path.name)
    if key not in _MANIFESTS:
        folder = cache_folder(warehouse.path)
        outcome = dbtRunner().invoke([*_QUIETLY, "parse", *_paths(folder)])
        if not outcome.success:
            raise BuildFailedError(_problems(outcome), folder / "logs" / "dbt.log")
        _MANIFESTS[key] = cast("Manifest", outcome.result)
    # A build writes into it what it has compiled.
    return cast("Manifest", _MANIFESTS[key].deepcopy())  # type: ignore[no-untyped-call]


def _paths(folder: Path) -> list[str]:
    project = project_folder()
    return [
        *("--project-dir", str(project)),
        *("--profiles-dir", str(project)),
        *("--target-path", str(folder / "target")),
        *("--log-path", str(folder / "logs")),
    ]


def _problems(outcome: Any) -> list[str]:  # noqa: ANN401 - dbt's result has no stable type
    """Name the models and tests that failed, each with the first line of what was said."""
    if outcome.exception is not None:
        return [first_line(outcome.exception)]
    failed = [
        f"{result.node.name}: {_gist(result.message or result.status)}"
        for result in outcome.result.results
        if result.status in {"error", "fail", "runtime error"}
    ]
    if not failed:
        return ["interrupted"]
    more = len(failed) - _PROBLEMS_SHOWN
    return failed[:_PROBLEMS_SHOWN] + ([f"and {more} more"] if more > 0 else [])


def _gist(message: str) -> str:
    """Make one line of dbt's message, without the stack of macros that it ends in."""
    return " ".join(message.partition("> in macro")[0].split())[:_PROBLEM_LENGTH]


class _Counter:
    """Counts dbt's events into progress."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.done = 0
        self.total = 0

    def __call__(self, event: "EventMsg") -> None:
        if event.info.name == "LogStartLine":
            self.total = event.data.total
        elif event.info.name == "NodeFinished":
            self.done += 1
            self.progress(event.data.node_info.node_name, self.done, max(self.total, self.done))
