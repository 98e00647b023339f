"""The raw schema, as loading writes it: one collection's rows, and the account of its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from poolhouse import __version__
from poolhouse.errors import AccountError, UnknownCollectionError
from poolhouse.parsers import ParsedFile, RunDescription

_DESCRIPTION = {
    "run_id": pl.String,
    "organization": pl.String,
    "run_type": pl.String,
    "is_pooled": pl.Boolean,
}


@dataclass(frozen=True)
class InputFile:
    """A file of a collection, as its history keeps it; a run's name is its run id.

    `seconds` is the time of reading and parsing it.
    """

    kind: str
    name: str
    path: str
    sha256: str
    n_bytes: int
    seconds: float


class RawStore:
    """One collection in the raw schema, and what one load or removal does to it."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, collection_key: int, collection: str
    ) -> None:
        self.connection = connection
        self.collection_key = collection_key
        self.collection = collection
        self.load_key: int = self._rows("select nextval('ops.load_keys')")[0][0]

    @classmethod
    def declared(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of a collection, which is made where it is new."""
        connection.execute(
            "insert into raw.collections (collection_id) values (?) on conflict do nothing",
            [collection],
        )
        return cls.existing(connection, collection)

    @classmethod
    def existing(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of a collection that is there.

        Errors: UnknownCollectionError.
        """
        keys = dict(
            connection.execute(
                "select collection_id, collection_key from raw.collections order by collection_id"
            ).fetchall()
        )
        if collection not in keys:
            raise UnknownCollectionError(collection, list(keys))
        return cls(connection, keys[collection], collection)

    def declare(
        self,
        title: str | None,
        pool_depth: int | None,
        relevance_threshold: int | None,
        pooling_order: str | None,
        highest_grade: int | None,
    ) -> None:
        """Set what is declared of the collection; None leaves what is there."""
        self.connection.execute(
            """
            update raw.collections
            set
                title = coalesce(?, title),
                declared_pool_depth = coalesce(?, declared_pool_depth),
                relevance_threshold = coalesce(?, relevance_threshold),
                pooling_order = coalesce(?, pooling_order),
                highest_grade = coalesce(?, highest_grade)
            where collection_key = ?
            """,
            [
                title,
                pool_depth,
                relevance_threshold,
                pooling_order,
                highest_grade,
                self.collection_key,
            ],
        )

    def hashes(self, kind: str, *, only_flawless: bool = False) -> dict[str, str]:
        """Give the hash of every loaded file of this kind, or of those without rejected lines."""
        condition = "kind = ? and (not ? or coalesce(n_rejected, 0) = 0)"
        return dict(
            self._of_collection(
                "select name, sha256 from ops.files", condition, kind, only_flawless
            )
        )

    def run_paths(self) -> dict[str, str]:
        """Tell from where each loaded run came, by its id."""
        return dict(self._of_collection("select name, path from ops.files", "kind = 'run'"))

    def replace_descriptions(self, file: InputFile, runs: Sequence[RunDescription]) -> None:
        """Put these descriptions in the place of all earlier ones."""
        self._forget("raw.descriptions")
        described = pl.DataFrame(
            [(run.run_id, run.organization, run.run_type, run.is_pooled) for run in runs],
            schema=_DESCRIPTION,
            orient="row",
        )
        self._append("raw.descriptions", described, ", ".join(_DESCRIPTION))
        self._record(file, n_rows=len(runs))

    def replace_topics(self, file: InputFile, parsed: ParsedFile) -> None:
        """Put these titles in the place of all earlier ones."""
        self._forget("raw.topics")
        self._append("raw.topics", parsed.rows, "query, title")
        self._account(file, parsed)

    def replace_qrels(self, file: InputFile, parsed: ParsedFile) -> None:
        """Put these judgements in the place of all earlier ones."""
        self._forget("raw.qrels_lines")
        self._append("raw.qrels_lines", parsed.rows, "line_number, query, iteration, docno, grade")
        self._account(file, parsed)

    def replace_runs(self, runs: Sequence[tuple[InputFile, ParsedFile]]) -> None:
        """Add runs, each in the place of an earlier one of that id."""
        lines = pl.concat(
            parsed.rows.with_columns(run_key=pl.lit(self._run_key(file.name), pl.Int32))
            for file, parsed in runs
        )
        columns = "run_key, line_number, query, docno, rank, score, tag"
        self._append("raw.run_lines", lines, columns)
        for file, parsed in runs:
            self._account(file, parsed)

    def remove_run(self, run_id: str) -> None:
        """Take away what a run's file brought in; its history and its description stay."""
        [(run_key,)] = self._of_collection("select run_key from raw.runs", "run_id = ?", run_id)
        for table in ("raw.run_lines", "raw.runs"):
            self._forget(table, "run_key = ?", run_key)
        self._forget("raw.rejected_lines", "kind = 'run' and name = ?", run_id)
        self._record_removal("kind = 'run' and name = ?", run_id)

    def remove(self) -> None:
        """Take away the whole collection; its history stays."""
        self._record_removal("true")
        for table in (
            *("raw.run_lines", "raw.runs", "raw.qrels_lines", "raw.topics"),
            *("raw.descriptions", "raw.rejected_lines", "raw.collections"),
        ):
            self._forget(table)

    def unmatched_runs(self) -> tuple[list[str], list[str]]:
        """List loaded runs that are not described, and described ones that are not loaded."""
        undescribed, not_loaded = self._rows(
            """
            select
                list(runs.run_id order by runs.run_id) filter (where described.run_id is null),
                list(described.run_id order by described.run_id) filter (where runs.run_id is null)
            from (from raw.runs where collection_key = $1) as runs
            full join (from raw.descriptions where collection_key = $1) as described
                on runs.run_id = described.run_id
            """,
            self.collection_key,
        )[0]
        return undescribed or [], not_loaded or []

    def _run_key(self, run_id: str) -> int:
        """Give a new run its key; a known one keeps its own and loses its old lines."""
        known = self._of_collection("select run_key from raw.runs", "run_id = ?", run_id)
        if known:
            self._forget("raw.run_lines", "run_key = ?", known[0][0])
            return int(known[0][0])
        new = self._rows(
            "insert into raw.runs (collection_key, run_id) values (?, ?) returning run_key",
            *(self.collection_key, run_id),
        )
        return int(new[0][0])

    def _account(self, file: InputFile, parsed: ParsedFile) -> None:
        """Record a file of lines, and the lines of it that were set aside."""
        if parsed.n_lines != parsed.rows.height + parsed.n_blank + parsed.rejected.height:
            raise AccountError(
                f"{file.path}: {parsed.n_lines} lines, but {parsed.rows.height} rows, "
                f"{parsed.n_blank} blank and {parsed.rejected.height} rejected lines"
            )
        self._forget("raw.rejected_lines", "kind = ? and name = ?", file.kind, file.name)
        rejected = parsed.rejected.with_columns(kind=pl.lit(file.kind), name=pl.lit(file.name))
        self._append("raw.rejected_lines", rejected, "kind, name, line_number, reason, text")
        self._record(file, parsed.rows.height, parsed, parsed.n_duplicates)

    def _record(
        self, file: InputFile, n_rows: int, parsed: ParsedFile | None = None, n_duplicates: int = 0
    ) -> None:
        self.connection.execute(
            """
            insert into ops.load_history (
                load_key, action, collection_key, collection_id, kind, name, path, sha256, n_bytes,
                n_lines, n_rows, n_blank, n_rejected, n_duplicates, seconds, version
            )
            values (?, 'load', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                *(self.load_key, self.collection_key, self.collection),
                *(file.kind, file.name, file.path, file.sha256, file.n_bytes),
                parsed.n_lines if parsed else None,
                n_rows,
                parsed.n_blank if parsed else None,
                parsed.rejected.height if parsed else None,
                *(n_duplicates, file.seconds, __version__),
            ],
        )

    def _record_removal(self, condition: str, *values: object) -> None:
        """Record that the files that meet a condition were taken away."""
        self.connection.execute(
            f"""
            insert into ops.load_history by name
            select
                * replace (
                    ? as load_key,
                    'remove' as action,
                    0 as seconds,
                    ? as version,
                    current_timestamp at time zone 'UTC' as loaded_at
                )
            from ops.files
            where collection_key = ? and {condition}
            """,  # noqa: S608 - own conditions
            [self.load_key, __version__, self.collection_key, *values],
        )

    def _forget(self, table: str, condition: str = "true", *values: object) -> None:
        self.connection.execute(
            f"delete from {table} where collection_key = ? and {condition}",  # noqa: S608 - own words
            [self.collection_key, *values],
        )

    def _append(self, table: str, frame: pl.DataFrame, columns: str) -> None:
        # The newest form of strings is the one that both engines have: nothing is copied.
        arrow = frame.to_arrow(compat_level=pl.CompatLevel.newest())
        self.connection.register("frame", arrow)
        [(n_stored,)] = self._rows(
            f"insert into {table} (collection_key, {columns}) select ?, {columns} from frame",  # noqa: S608
            self.collection_key,
        )
        self.connection.unregister("frame")
        if n_stored != frame.height:
            raise AccountError(f"{table}: {n_stored} rows stored of {frame.height}")

    def _of_collection(self, select: str, condition: str, *values: object) -> list[tuple[Any, ...]]:
        return self._rows(
            f"{select} where collection_key = ? and {condition}", self.collection_key, *values
        )

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        # All of them: DuckDB 2.0 refuses other work while a result is not read to its end.
        return self.connection.execute(sql, values).fetchall()
