"""Running statements of a plan on a connection; an error names the node."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from poolhouse.building.plan import Node
from poolhouse.errors import BuildFailedError
from poolhouse.warehouse.engine_errors import first_line


class Execution:
    """A connection on which a plan runs, and the log of what fails.

    `is_logging` is false while it is not known yet which of several collections fails.
    """

    # A signal ends the build and the connection, and then nothing is restored. After a signal
    # before a block, the generator is collected on a closed connection.

    def __init__(self, connection: duckdb.DuckDBPyConnection, log: Path) -> None:
        self.connection = connection
        self.is_logging = True
        self._log = log
        connection.execute("set preserve_insertion_order = false")

    def run(self, statements: Iterable[str]) -> None:
        """Run statements one after the other. Raise duckdb.Error."""
        for statement in statements:
            self.connection.execute(statement)

    @contextmanager
    def hooked(self, node: Node) -> Iterator[None]:
        """Run the hooks of a node before and after a block."""
        self.run(node.before)
        try:
            yield
        except Exception:
            self.run(node.after)
            raise
        self.run(node.after)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what a block changes, or nothing."""
        self.connection.begin()
        try:
            yield
        except Exception:
            self.connection.rollback()
            raise
        self.connection.commit()

    @contextmanager
    def naming(self, node: Node) -> Iterator[None]:
        """Raise BuildFailedError with the node that the engine refuses."""
        try:
            yield
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise self.failure(node, first_line(error)) from error

    def failure(self, node: Node, problem: str) -> BuildFailedError:
        """Return the error of a node, whose SQL is written to the log."""
        if self.is_logging:
            self._log.parent.mkdir(parents=True, exist_ok=True)
            with self._log.open("a", encoding="utf-8") as log:
                log.write(f"{node.name}: {problem}\n\n{node.sql}\n\n")
        return BuildFailedError([f"{node.name}: {problem}"], self._log)
