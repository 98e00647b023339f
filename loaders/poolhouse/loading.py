"""Loading: from files to the raw schema of the warehouse, a collection at a time.

A file whose content is in the warehouse already is passed over; a changed one replaces its old
rows. A bad line is set aside, a bad file stops the load and nothing of the load is kept.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import duckdb

from poolhouse.errors import BadFileError, IncompleteCollectionError, PoolhouseError
from poolhouse.parsers import (
    ParsedFile,
    SourceFile,
    parse_descriptions,
    parse_qrels,
    parse_run,
    parse_topics,
    read_source,
    run_id_of,
)
from poolhouse.raw_store import RawStore
from poolhouse.warehouse import Warehouse

POOLING_ORDERS = ("score", "file", "rank")

# Runs stored by one insert: many small inserts cost more than one, and a batch is held in memory.
_RUNS_PER_INSERT = 16

Progress = Callable[[str], None]


@dataclass(frozen=True)
class CollectionSettings:
    """What is declared of a collection; None leaves what an earlier load declared."""

    title: str | None = None
    pool_depth: int | None = None
    relevance_threshold: int | None = None
    pooling_order: str | None = None

    def __post_init__(self) -> None:
        if self.pooling_order not in (None, *POOLING_ORDERS):
            raise PoolhouseError(
                f"pooling order {self.pooling_order!r} is not one of {POOLING_ORDERS}"
            )
        for name in ("pool_depth", "relevance_threshold"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise PoolhouseError(f"{name.replace('_', ' ')} is {value}, expected 1 or more")


@dataclass(frozen=True)
class LoadRequest:
    """Which files make up (or add to) a collection. `runs` are files, one a run."""

    collection: str
    runs: tuple[Path, ...] = ()
    qrels: Path | None = None
    descriptions: Path | None = None
    topics: Path | None = None
    settings: CollectionSettings = CollectionSettings()


@dataclass
class LoadReport:
    """What a load did: counts of files and lines, and what the user should know."""

    n_files: int = 0
    n_unchanged: int = 0
    n_described: int = 0
    n_rows: int = 0
    n_blank: int = 0
    n_rejected: int = 0
    changed: bool = False
    remarks: list[str] = field(default_factory=list)

    def count(self, parsed: ParsedFile) -> None:
        """Add a file's lines."""
        self.n_rows += parsed.rows.height
        self.n_blank += parsed.n_blank
        self.n_rejected += parsed.rejected.height


def run_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """List the run files that paths name: a folder stands for its files, hidden ones left out.

    Errors: BadFileError for a path that is not there, an empty folder, or a second file for a run.
    """
    files: dict[str, Path] = {}
    for path in paths:
        for file in _files_of(path):
            run_id = run_id_of(file.name)
            if not run_id:
                raise BadFileError(file, "the name leaves nothing for the run's id; rename it")
            if run_id in files and files[run_id].absolute() != file.absolute():
                raise BadFileError(file, f"{files[run_id]} is run {run_id!r} too; rename one")
            files[run_id] = file
    return tuple(files.values())


def load_collection(
    warehouse: Warehouse, request: LoadRequest, progress: Progress = lambda _: None
) -> LoadReport:
    """Load the files of a request into the raw schema and publish the warehouse.

    `progress` is told the name of each file before it is read. Errors: BadFileError,
    IncompleteCollectionError where runs or judgements are missing, WarehouseBusyError.
    """
    _check_name(request.collection)
    with warehouse.change() as change:
        with warehouse.side() as connection:
            before = _fingerprint(connection, request.collection)
            connection.begin()
            report = _Loader(RawStore(connection, request.collection), request, progress).load()
            connection.commit()
            report.changed = _fingerprint(connection, request.collection) != before
        change.abandoned = not report.changed
    return report


def _fingerprint(connection: duckdb.DuckDBPyConnection, collection: str) -> list[tuple[str]]:
    return connection.execute(
        """
        select fingerprint
        from ops.collection_fingerprints
        inner join raw.collections using (collection_key)
        where collection_id = ?
        """,
        [collection],
    ).fetchall()


def _check_name(collection: str) -> None:
    if not collection.strip() or not collection.isprintable():
        raise PoolhouseError(f"collection name {collection!r} is empty or not printable")


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        if not path.exists():
            raise BadFileError(path, "no such file or folder")
        return [path]
    files = [entry for entry in sorted(path.iterdir()) if not entry.name.startswith(".")]
    for entry in files:
        if not entry.is_file():
            raise BadFileError(entry, "no file: a folder of runs holds run files and nothing else")
    if not files:
        raise BadFileError(path, "the folder holds no run files")
    return files


class _Loader:
    """One load: the store of the collection, the request, and the report as it grows."""

    def __init__(self, store: RawStore, request: LoadRequest, progress: Progress) -> None:
        self.store = store
        self.request = request
        self.progress = progress
        self.report = LoadReport()

    def load(self) -> LoadReport:
        settings = self.request.settings
        self.store.declare(
            settings.title,
            settings.pool_depth,
            settings.relevance_threshold,
            settings.pooling_order,
        )
        self._load_descriptions()
        self._load_topics()
        self._load_qrels()
        self._load_runs()
        self._check_complete()
        self._remark_on_descriptions()
        return self.report

    def _changed_source(self, path: Path | None, kind: str, name: str) -> SourceFile | None:
        """Read a file, and give None where there is none or its content is loaded already."""
        if path is None:
            return None
        self.progress(path.name)
        source = read_source(path)
        self.report.n_files += 1
        if self.store.holds(source, kind, name):
            self.report.n_unchanged += 1
            return None
        return source

    def _load_descriptions(self) -> None:
        source = self._changed_source(self.request.descriptions, "descriptions", "descriptions")
        if source is not None:
            descriptions = parse_descriptions(source)
            self.store.replace_descriptions(source, descriptions)
            self.report.n_described = len(descriptions)

    def _load_topics(self) -> None:
        source = self._changed_source(self.request.topics, "topics", "topics")
        if source is not None:
            self.store.replace_topics(source, parse_topics(source))

    def _load_qrels(self) -> None:
        source = self._changed_source(self.request.qrels, "qrels", "qrels")
        if source is None:
            return
        parsed = parse_qrels(source)
        if parsed.rows.is_empty():
            problem = "holds no judgement (expected: topic iteration docno grade)"
            raise BadFileError(source.path, problem + _first_reason(parsed))
        self.store.replace_qrels(source, parsed)
        self.report.count(parsed)

    def _load_runs(self) -> None:
        changed = self._changed_runs()
        while batch := list(islice(changed, _RUNS_PER_INSERT)):
            self.store.replace_runs(batch)
            for _, _, parsed in batch:
                self.report.count(parsed)

    def _changed_runs(self) -> Iterator[tuple[str, SourceFile, ParsedFile]]:
        for path in run_files(self.request.runs):
            run_id = run_id_of(path.name)
            source = self._changed_source(path, "run", run_id)
            if source is None:
                continue
            parsed = parse_run(source)
            if parsed.rows.is_empty():
                problem = "holds no ranked document (expected: topic Q0 docno rank score tag)"
                raise BadFileError(path, problem + _first_reason(parsed))
            yield run_id, source, parsed

    def _check_complete(self) -> None:
        for kind, missing in (("run", "runs"), ("qrels", "judgements")):
            if not self.store.has(kind):
                raise IncompleteCollectionError(self.request.collection, missing)

    def _remark_on_descriptions(self) -> None:
        """Say which runs and descriptions do not meet: legitimate, and often a typing error."""
        undescribed, not_loaded = self.store.unmatched_runs()
        if not self.store.has("descriptions"):
            remark = "no descriptions: every run counts as an organization of its own"
            self.report.remarks.append(remark)
        elif undescribed:
            remark = f"not described, each its own organization: {_some(undescribed)}"
            self.report.remarks.append(remark)
        if not_loaded:
            self.report.remarks.append(f"described but not loaded: {_some(not_loaded)}")


def _first_reason(parsed: ParsedFile) -> str:
    """Say what is wrong with the first rejected line."""
    if parsed.rejected.is_empty():
        return ""
    number, reason, _ = parsed.rejected.row(0)
    return f"; line {number}: {reason.replace('_', ' ')}"


def _some(names: list[str], at_most: int = 5) -> str:
    more = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + more
