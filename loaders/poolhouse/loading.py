"""Loading: from files to the raw schema of the warehouse, a collection at a time.

A file whose content is in the warehouse already is passed over; a changed one replaces its old
rows. A bad line is set aside, a bad file stops the load and nothing of the load is kept.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import duckdb
import polars as pl

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
    n_rows: int = 0
    n_blank: int = 0
    n_rejected: int = 0
    changed: bool = False
    remarks: list[str] = field(default_factory=list)


def run_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """List the run files that paths name: a folder stands for its files, hidden ones left out.

    Errors: BadFileError for a path that is not there, an empty folder, or a second file for a run.
    """
    files: dict[str, Path] = {}
    for path in paths:
        for file in _files_of(path):
            run_id = run_id_of(file.name)
            if run_id in files and files[run_id] != file:
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
            report = _Loader(connection, request, progress).load()
        change.abandoned = not report.changed
    return report


def _check_name(collection: str) -> None:
    if not collection.strip() or not collection.isprintable():
        raise PoolhouseError(f"collection name {collection!r} is empty or not printable")


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        if not path.exists():
            raise BadFileError(path, "no such file or folder")
        return [path]
    files = [entry for entry in sorted(path.iterdir()) if not entry.name.startswith(".")]
    if not files:
        raise BadFileError(path, "the folder holds no run files")
    return files


class _Loader:
    """One load: the side file's connection, the request, and the report as it grows."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, request: LoadRequest, progress: Progress
    ) -> None:
        self.connection = connection
        self.request = request
        self.progress = progress
        self.report = LoadReport()
        self.collection_key = -1

    def load(self) -> LoadReport:
        before = self._fingerprint()
        self.connection.begin()
        self.collection_key = self._declare_collection()
        if self.request.descriptions:
            self._load_descriptions(self.request.descriptions)
        if self.request.topics:
            self._load_topics(self.request.topics)
        if self.request.qrels:
            self._load_qrels(self.request.qrels)
        self._load_runs()
        self._check_complete()
        self._remark_on_descriptions()
        self.connection.commit()
        self.report.changed = self._fingerprint() != before
        return self.report

    def _fingerprint(self) -> object:
        return self.connection.execute(
            """
            select fingerprint
            from ops.collection_fingerprints
            inner join raw.collections using (collection_key)
            where collection_id = ?
            """,
            [self.request.collection],
        ).fetchone()

    def _declare_collection(self) -> int:
        settings = self.request.settings
        self.connection.execute(
            "insert into raw.collections (collection_id) values (?) on conflict do nothing",
            [self.request.collection],
        )
        row = self.connection.execute(
            """
            update raw.collections
            set
                title = coalesce(?, title),
                declared_pool_depth = coalesce(?, declared_pool_depth),
                relevance_threshold = coalesce(?, relevance_threshold),
                pooling_order = coalesce(?, pooling_order)
            where collection_id = ?
            returning collection_key
            """,
            [
                settings.title,
                settings.pool_depth,
                settings.relevance_threshold,
                settings.pooling_order,
                self.request.collection,
            ],
        ).fetchone()
        assert row is not None  # noqa: S101 - the row was inserted above
        return int(row[0])

    def _changed_source(self, path: Path, kind: str, name: str) -> SourceFile | None:
        """Read a file, and say None where its content is in the warehouse already."""
        self.progress(path.name)
        source = read_source(path)
        self.report.n_files += 1
        known = self.connection.execute(
            "select sha256 from ops.files where collection_key = ? and kind = ? and name = ?",
            [self.collection_key, kind, name],
        ).fetchone()
        if known is not None and known[0] == source.sha256:
            self.report.n_unchanged += 1
            return None
        return source

    def _load_descriptions(self, path: Path) -> None:
        source = self._changed_source(path, "descriptions", "descriptions")
        if source is None:
            return
        described = [
            (self.collection_key, run.run_id, run.organization, run.run_type, run.is_pooled)
            for run in parse_descriptions(source)
        ]
        self._forget("raw.descriptions")
        if described:
            self.connection.executemany(
                "insert into raw.descriptions values (?, ?, ?, ?, ?)", described
            )
        self._record(source, "descriptions", "descriptions", len(described))

    def _load_topics(self, path: Path) -> None:
        source = self._changed_source(path, "topics", "topics")
        if source is None:
            return
        topics = parse_topics(source)
        self._forget("raw.topics")
        self._store("raw.topics", topics, "query, title")
        self._record(source, "topics", "topics", topics.height)

    def _load_qrels(self, path: Path) -> None:
        source = self._changed_source(path, "qrels", "qrels")
        if source is None:
            return
        parsed = parse_qrels(source)
        if parsed.rows.is_empty():
            raise BadFileError(path, "holds no judgement (expected: topic iteration docno grade)")
        self._forget("raw.qrels_lines")
        self._store("raw.qrels_lines", parsed.rows, "line_number, query, iteration, docno, grade")
        self._account(source, "qrels", "qrels", parsed)

    def _load_runs(self) -> None:
        parsed_runs = self._parsed_runs()
        while batch := list(islice(parsed_runs, _RUNS_PER_INSERT)):
            lines = pl.concat(
                [parsed.rows.with_columns(run_key=key) for key, _, parsed in batch],
                how="vertical",
            )
            columns = "run_key, line_number, query, docno, rank, score, tag"
            self._store("raw.run_lines", lines, columns)
            for _, source, parsed in batch:
                self._account(source, "run", run_id_of(source.path.name), parsed)

    def _parsed_runs(self) -> Iterator[tuple[pl.Expr, SourceFile, ParsedFile]]:
        for path in self.request.runs:
            run_id = run_id_of(path.name)
            source = self._changed_source(path, "run", run_id)
            if source is None:
                continue
            parsed = parse_run(source)
            if parsed.rows.is_empty():
                raise BadFileError(
                    path, "holds no ranked document (expected: topic Q0 docno rank score tag)"
                )
            yield pl.lit(self._run_key(run_id), pl.Int32), source, parsed

    def _run_key(self, run_id: str) -> int:
        """Give a new run its key; a known one keeps its own and loses its old lines."""
        of_run = [self.collection_key, run_id]
        known = self.connection.execute(
            "select run_key from raw.runs where collection_key = ? and run_id = ?", of_run
        ).fetchone()
        if known is not None:
            self.connection.execute("delete from raw.run_lines where run_key = ?", known)
            return int(known[0])
        new = self.connection.execute(
            "insert into raw.runs (collection_key, run_id) values (?, ?) returning run_key", of_run
        ).fetchone()
        assert new is not None  # noqa: S101 - `returning` gives the inserted row
        return int(new[0])

    def _forget(self, table: str) -> None:
        self.connection.execute(
            f"delete from {table} where collection_key = ?",  # noqa: S608 - own table names
            [self.collection_key],
        )

    def _store(self, table: str, frame: pl.DataFrame, columns: str) -> None:
        self.connection.register("frame", frame.to_arrow())
        self.connection.execute(
            f"insert into {table} (collection_key, {columns}) select ?, {columns} from frame",  # noqa: S608
            [self.collection_key],
        )
        self.connection.unregister("frame")

    def _account(self, source: SourceFile, kind: str, name: str, parsed: ParsedFile) -> None:
        """Record a file of lines, and the lines of it that were set aside."""
        self.connection.execute(
            "delete from raw.rejected_lines where collection_key = ? and kind = ? and name = ?",
            [self.collection_key, kind, name],
        )
        rejected = parsed.rejected.with_columns(kind=pl.lit(kind), name=pl.lit(name))
        self._store("raw.rejected_lines", rejected, "kind, name, line_number, reason, text")
        self._record(source, kind, name, parsed.rows.height, parsed)

    def _record(
        self,
        source: SourceFile,
        kind: str,
        name: str,
        n_rows: int,
        parsed: ParsedFile | None = None,
    ) -> None:
        self.connection.execute(
            "delete from ops.files where collection_key = ? and kind = ? and name = ?",
            [self.collection_key, kind, name],
        )
        self.connection.execute(
            """
            insert into ops.files (
                collection_key, kind, name, path, sha256, n_bytes,
                n_lines, n_rows, n_blank, n_rejected
            )
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                self.collection_key,
                kind,
                name,
                str(source.path.absolute()),
                source.sha256,
                len(source.stored),
                parsed.n_lines if parsed else None,
                n_rows,
                parsed.n_blank if parsed else None,
                parsed.rejected.height if parsed else None,
            ],
        )
        self.report.n_rows += n_rows
        self.report.n_blank += parsed.n_blank if parsed else 0
        self.report.n_rejected += parsed.rejected.height if parsed else 0

    def _check_complete(self) -> None:
        for kind, missing in (("run", "runs"), ("qrels", "judgements")):
            found = self.connection.execute(
                "select 1 from ops.files where collection_key = ? and kind = ? limit 1",
                [self.collection_key, kind],
            ).fetchone()
            if found is None:
                raise IncompleteCollectionError(self.request.collection, missing)

    def _remark_on_descriptions(self) -> None:
        """Say which runs and descriptions do not meet: legitimate, and often a typing error."""
        undescribed, not_loaded = self.connection.execute(
            """
            select
                list(runs.run_id order by runs.run_id) filter (where described.run_id is null),
                list(described.run_id order by described.run_id) filter (where runs.run_id is null)
            from (from raw.runs where collection_key = $key) as runs
            full join (from raw.descriptions where collection_key = $key) as described
                on runs.run_id = described.run_id
            """,
            {"key": self.collection_key},
        ).fetchone() or (None, None)
        described_any = self.connection.execute(
            "select 1 from raw.descriptions where collection_key = ? limit 1", [self.collection_key]
        ).fetchone()
        if described_any is None:
            self.report.remarks.append(
                "no descriptions: every run counts as an organization of its own"
            )
        elif undescribed:
            self.report.remarks.append(
                f"not described, each its own organization: {_some(undescribed)}"
            )
        if not_loaded:
            self.report.remarks.append(f"described but not loaded: {_some(not_loaded)}")


def _some(names: list[str], at_most: int = 5) -> str:
    more = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + more
