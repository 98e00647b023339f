"""The rows of one collection in the raw schema, and the account of its files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import polars as pl

from poolhouse import __version__
from poolhouse.errors import AccountError, check_known
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.parsers import ParsedFile
from poolhouse.warehouse.frames import registered


@dataclass(frozen=True)
class InputFile:
    """A file of a collection, as its history records it. The name of a run is its run id.

    `seconds` is the time of reading and parsing it.
    """

    kind: str
    name: str
    path: str
    sha256: str
    n_bytes: int
    seconds: float


class RawStore:
    """One collection in the raw schema, and the changes of one load or removal."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, collection_key: int, collection: str
    ) -> None:
        self.connection = connection
        self.collection_key = collection_key
        self.collection = collection
        self.load_key: int = self.rows("select nextval('ops.load_keys')")[0][0]
        # The loaded files with their hashes. A load asks often, and the view takes time.
        self._loaded: list[tuple[Any, ...]] | None = None

    @classmethod
    def declared(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of a collection. Create the collection if it is new."""
        connection.execute(
            "insert into raw.collections (collection_id) values (?) on conflict do nothing",
            [collection],
        )
        return cls.existing(connection, collection)

    @classmethod
    def existing(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of an existing collection.

        Raise UnknownCollectionError.
        """
        keys = dict(
            connection.execute(
                "select collection_id, collection_key from raw.collections order by collection_id"
            ).fetchall()
        )
        check_known([collection], keys)
        return cls(connection, keys[collection], collection)

    # ------------------------------------------------------------------------------- declarations

    def declare(self, declared: Mapping[str, object]) -> None:
        """Set declarations of the collection, by column. None keeps the earlier value."""
        columns = ", ".join(f"{column} = coalesce(?, {column})" for column in declared)
        self.connection.execute(
            f"update raw.collections set {columns} where collection_key = ?",  # noqa: S608 - own words
            [*declared.values(), self.collection_key],
        )

    def declared_scale(self) -> tuple[int, int | None]:
        """Return the lowest relevant grade of the collection, and its declared highest grade."""
        [scale] = self.of_collection(
            "select relevance_threshold, highest_grade from raw.collections"
        )
        return scale

    def passage_mark(self) -> str | None:
        """Return the mark between the ids of documents and passages; None without passages."""
        [(mark,)] = self.of_collection("select passage_mark from raw.collections")
        return None if mark is None else str(mark)

    def judged_from(self) -> int:
        """Return the lowest grade that is a judgement."""
        [(lowest,)] = self.of_collection("select judged_from from raw.collections")
        return int(lowest)

    def reference_author(self) -> str | None:
        """Return the name of the author of the qrels; None if there are no qrels."""
        if not self.hashes("qrels"):
            return None
        [(name,)] = self.of_collection("select reference_author from raw.collections")
        return name or REFERENCE

    # -------------------------------------------------------------------------------------- files

    def hashes(self, kind: str, *, only_flawless: bool = False) -> dict[str, str]:
        """Return the hash of every loaded file of this kind, or of those without rejected lines."""
        if self._loaded is None:
            select = "select kind, name, sha256, coalesce(n_rejected, 0) = 0 from ops.files"
            self._loaded = self.of_collection(select)
        return {
            name: sha256
            for of_kind, name, sha256, is_flawless in self._loaded
            if of_kind == kind and (is_flawless or not only_flawless)
        }

    def replace(
        self,
        table: str,
        file: InputFile,
        found: ParsedFile | pl.DataFrame | Sequence[object],
        **part: str,
    ) -> int:
        """Replace the rows of a table by those of a file, and account for the file.

        `found` has the columns of the table. `part` has columns and values of the rows that the
        file replaces and brings, where these are not the whole table. Return the number of rows.
        """
        condition = " and ".join(("true", *(f"{name} = ?" for name in part)))
        self.forget(table, condition, *part.values())
        if isinstance(found, ParsedFile):
            rows = found.rows
            self.account([(file, found)])
        else:
            rows = pl.DataFrame(found, infer_schema_length=None)
            self.record(file, rows.height)
        of_part = {name: pl.lit(value) for name, value in part.items()}
        self.append(table, rows.with_columns(**of_part))
        return rows.height

    def account(self, files: Sequence[tuple[InputFile, ParsedFile]]) -> None:
        """Record files of lines, all of one kind, and their lines that were set aside.

        Raise AccountError where the lines of a file are more or fewer than its parts.
        """
        for file, parsed in files:
            if parsed.n_lines != parsed.rows.height + parsed.n_blank + parsed.rejected.height:
                raise AccountError(
                    f"{file.path}: {parsed.n_lines} lines, but {parsed.rows.height} rows, "
                    f"{parsed.n_blank} blank and {parsed.rejected.height} rejected lines"
                )
        # A statement takes a millisecond or more, and waits for the thread that parses: one for
        # all files is a tenth of the load faster than one a file.
        kind, names = files[0][0].kind, [file.name for file, _ in files]
        self.forget("raw.rejected_lines", "kind = ? and name in (select unnest(?))", kind, names)
        rejected = pl.concat(
            parsed.rejected.with_columns(kind=pl.lit(file.kind), name=pl.lit(file.name))
            for file, parsed in files
        )
        self.append("raw.rejected_lines", rejected)
        self._record(
            {
                **asdict(file),
                "n_lines": parsed.n_lines,
                "n_rows": parsed.rows.height,
                "n_blank": parsed.n_blank,
                "n_rejected": parsed.rejected.height,
                "n_duplicates": parsed.n_duplicates,
            }
            for file, parsed in files
        )

    def record(self, file: InputFile, n_rows: int, n_duplicates: int = 0) -> None:
        """Record a file that does not consist of lines."""
        self._record([{**asdict(file), "n_rows": n_rows, "n_duplicates": n_duplicates}])

    def record_removal(self, condition: str = "true", *values: object) -> None:
        """Record the removal of the files that meet a condition."""
        self._loaded = None
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

    def _record(self, files: Iterable[dict[str, object]]) -> None:
        """Add files that were loaded to the history."""
        self._loaded = None
        record = pl.DataFrame(list(files)).with_columns(
            load_key=pl.lit(self.load_key),
            action=pl.lit("load"),
            collection_id=pl.lit(self.collection),
            version=pl.lit(__version__),
        )
        self.append("ops.load_history", record)

    # --------------------------------------------------------------------------------------- rows

    def forget(self, table: str, condition: str = "true", *values: object) -> None:
        """Delete the rows of this collection that meet a condition."""
        self.connection.execute(
            f"delete from {table} where collection_key = ? and {condition}",  # noqa: S608 - own words
            [self.collection_key, *values],
        )

    def append(self, table: str, frame: pl.DataFrame) -> None:
        """Add the rows of a frame to a table that has its columns, and this collection's key.

        Raise AccountError where the engine stored another number of rows.
        """
        with registered(self.connection, "frame", frame):
            [(n_stored,)] = self.rows(
                f"insert into {table} by name select ? as collection_key, * from frame",  # noqa: S608 - own words
                self.collection_key,
            )
        if n_stored != frame.height:
            raise AccountError(f"{table}: {n_stored} rows stored of {frame.height}")

    def of_collection(
        self, select: str, condition: str = "true", *values: object
    ) -> list[tuple[Any, ...]]:
        """Return the rows of this collection that a query for a table selects."""
        return self.rows(
            f"{select} where collection_key = ? and {condition}", self.collection_key, *values
        )

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a statement.

        DuckDB 2.0 refuses other work while a result is not read to its end.
        """
        return self.connection.execute(sql, values).fetchall()
