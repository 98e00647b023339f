"""Reading a lake like a warehouse: every command that only reads works on both."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from poolhouse.errors import PoolhouseError, WarehouseUnreadableError
from poolhouse.lake.catalogue import PROTOCOL, LakeFiles, catalogue_of, left_out_of
from poolhouse.lake.place import Place
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Change, Warehouse
from poolhouse.warehouse.memory import memory_limit


class _OfLake(Warehouse):
    @property
    def reached(self) -> tuple[str, ...]:
        """The files of the lake."""
        return (f"{PROTOCOL}://",)


@dataclass(frozen=True)
class LakeWarehouse(_OfLake):
    """A lake, for readers. Each read sees the state of the lake when it began."""

    address: str = ""

    @classmethod
    def at(cls, address: str) -> "LakeWarehouse":
        """Return the lake at this address: a folder, or the URI of one in an object store."""
        return cls(Path(address), Place(address).address)

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the catalogue of the lake, without access to other files or the network.

        Raise PoolhouseError where there is no lake, and the errors of a warehouse.
        """
        place = Place(self.address)
        try:
            with _Catalogue(catalogue_of(place), place).read() as connection:
                yield connection
        except WarehouseUnreadableError as error:
            # Nobody knows the file of the catalogue.
            cause = first_line(error.__cause__) if isinstance(error.__cause__, duckdb.Error) else ""
            raise PoolhouseError(f"{self.address}: {cause or error}") from error

    def remarks(self) -> list[str]:
        """Say which collections readers do not see. Raise the errors of `read`."""
        return left_out_of(Place(self.address))

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Raise PoolhouseError: a build of the lake is the only change."""
        raise PoolhouseError(f"{self.address}: a lake is read here, and only lake build changes it")
        yield Change()

    def attach(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        """Attach the catalogue of the lake read-only under a name."""
        place = Place(self.address)
        _register(connection, place)
        Warehouse(catalogue_of(place)).attach(connection, name)


@dataclass(frozen=True)
class _Catalogue(_OfLake):
    place: Place | None = None

    def _connect(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(
            str(self.path),
            read_only=True,
            config={
                "memory_limit": memory_limit(),
                "temp_directory": "",
                # Threads would wait for Python's lock at each read of a file: with two of them,
                # queries of TREC-8 were no faster, and small files under load took minutes.
                "threads": 1,
            },
        )
        assert self.place  # noqa: S101 - only the default of the class has none
        _register(connection, self.place)
        return connection


def _register(connection: duckdb.DuckDBPyConnection, place: Place) -> None:
    # Connections of one process to one file share their file systems.
    if not connection.filesystem_is_registered(PROTOCOL):
        connection.register_filesystem(LakeFiles(place))
