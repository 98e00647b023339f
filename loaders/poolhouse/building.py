"""Building: dbt over the collections that changed, on the side file, published when all is well."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from poolhouse.announcing import announce
from poolhouse.errors import BuildFailedError, UnknownCollectionError
from poolhouse.memory import VARIABLE, memory_limit
from poolhouse.project import cache_folder, models_version, project_folder
from poolhouse.staleness import CollectionState, State, are_models_new, collection_states
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


@dataclass(frozen=True)
class BuildReport:
    """What a build did: the collections made anew (none where nothing had changed), or removed."""

    built: tuple[str, ...]
    removed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def build(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    progress: Progress = lambda _name, _done, _total: None,
) -> BuildReport:
    """Make the marts of every stale collection anew, or of the named ones among them, and publish.

    Where the models themselves changed, every collection is built. Errors: BuildFailedError,
    UnknownCollectionError, WarehouseMissingError, WarehouseBusyError.
    """
    with warehouse.read() as connection:
        stale = _stale(connection, collections)
    if not stale:
        return BuildReport(())
    with warehouse.change() as change:
        # Asked again under the lock: another process may have loaded or built in the meantime.
        with warehouse.side() as connection:
            stale = _stale(connection, collections)
            if not stale:
                change.abandoned = True
                return BuildReport(())
            announce(connection, stale)
            is_anew = are_models_new(connection)
        _run_dbt(warehouse, full_refresh=is_anew, progress=progress)
        with warehouse.side() as connection:
            _record(connection, stale)
            remarks = _remarks(connection, stale)
    removed = tuple(each.collection_id for each in stale if each.state is State.REMOVED)
    built = tuple(each.collection_id for each in stale if each.state is not State.REMOVED)
    return BuildReport(built, removed, remarks)


def _remarks(
    connection: duckdb.DuckDBPyConnection, stale: list[CollectionState]
) -> tuple[str, ...]:
    """Say where a collection has less in the marts than its user may expect."""
    rows = connection.execute(
        """
        select
            collection_id,
            n_pooled_runs,
            pool_depth,
            pool_depth_source,
            pooled_runs_source,
            (
                select count(*) from dim_runs
                where dim_runs.collection_id = dim_collections.collection_id and n_topics = 0
            ) as n_runs_without_topics
        from dim_collections
        where list_contains($built, collection_id)
        order by collection_id
        """,
        {"built": [each.collection_id for each in stale]},
    ).fetchall()
    remarks = []
    for collection, n_pooled, depth, depth_source, runs_source, n_without in rows:
        if n_without:
            remarks.append(
                f"{collection}: {n_without} runs answer no judged topic and have no score"
            )
        if n_pooled == 0:
            if depth is None:
                why = (
                    "no pool depth can be inferred from the judgements; declare it where it is "
                    "known (load --depth)"
                )
            elif runs_source == "inferred":
                why = f"to the {depth_source} depth {depth} the qrels cover no run"
            else:
                why = "no run that is declared as pooled is loaded and answers a judged topic"
            remarks.append(f"{collection}: no run was pooled, so nothing is estimated: {why}")
    return tuple(remarks)


def _stale(
    connection: duckdb.DuckDBPyConnection, collections: Collection[str]
) -> list[CollectionState]:
    states = collection_states(connection)
    known = [each.collection_id for each in states]
    for name in collections:
        if name not in known:
            raise UnknownCollectionError(name, known)
    if any(each.state is State.OUTDATED for each in states):
        return states
    return [
        each
        for each in states
        if each.state is not State.CURRENT
        and (not collections or each.collection_id in collections)
    ]


def _record(connection: duckdb.DuckDBPyConnection, stale: list[CollectionState]) -> None:
    """Remember of which state and by which models the marts were made."""
    for each in stale:
        connection.execute("delete from ops.builds where collection_key = ?", [each.collection_key])
        if each.state is not State.REMOVED:
            connection.execute(
                """
                insert into ops.builds (
                    collection_key, fingerprint, frame_fingerprint, models_version
                )
                select collection_key, fingerprint, frame_fingerprint, ?
                from ops.collection_fingerprints
                where collection_key = ?
                """,
                [models_version(), each.collection_key],
            )


def _run_dbt(warehouse: Warehouse, *, full_refresh: bool, progress: Progress) -> None:
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
        return [first_line(outcome.exception) or "interrupted"]  # Ctrl-C has no words
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
