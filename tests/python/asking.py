"""Ask a warehouse by SQL, and the command line by its words."""

from typing import Any

from click.testing import CliRunner, Result

from poolhouse.command_line.main import main
from poolhouse.warehouse.file import Warehouse


def rows(warehouse: Warehouse, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query; `run_query` would plan it twice."""
    with warehouse.read() as connection:
        return connection.execute(query, values).fetchall()


def invoke(
    *words: object, db: Warehouse | None = None, text: str | None = None, status: int | None = None
) -> Result:
    """Run a command, in the warehouse `db`, with `text` as standard input.

    Check that it ends with the status, if one is given.
    """
    of_warehouse = ["--db", str(db.path)] if db else []
    done = CliRunner().invoke(
        main, [*map(str, words), *of_warehouse], input=text, catch_exceptions=False
    )
    assert status in (None, done.exit_code), done.output
    return done


def invoke_on(db: Warehouse, *words: object, status: int | None = None) -> Result:
    """Run a command in a warehouse, which comes first."""
    return invoke(*words, db=db, status=status)
