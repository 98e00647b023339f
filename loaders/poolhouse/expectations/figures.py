"""Figures of the collections at hand, by the models that `fct_quality_figures` reads.

A check runs the models of the plan one after the other, for some collections at a time, and so that
it can say what it is doing. Figures of loaded files need no build.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import duckdb

from poolhouse.building.at_hand import set_at_hand
from poolhouse.building.plan import Node, Plan
from poolhouse.expectations.queries import query
from poolhouse.expectations.steps import Steps
from poolhouse.expectations.suites import ROWS
from poolhouse.export.marts import FIGURES

# Run lines that are read at a time; a collection with more lines is read whole. All words of these
# lines are in memory together.
_LINES_AT_A_TIME = 5_000_000

_GRID = "quality_figures"
# Schemas of loaded files.
_OF_FILES = ("raw", "ops")


class Figure(NamedTuple):
    """A figure of a collection, or of one of its runs or files: a row of the mart."""

    object: str | None
    n_values: int
    n_unexpected: int | None
    value: float | None
    sample: str


class Models(NamedTuple):
    """The models of the figures of loaded files, those of marts, and the subject of each figure."""

    of_files: tuple[Node, ...]
    of_marts: tuple[Node, ...]
    subjects: Mapping[str, str]


class Figures(NamedTuple):
    """Computed figures, by collection and figure.

    `loaded` and `current` are the names of collections whose files were looked at, and of those
    whose marts were looked at, too. `n_rows` is the number of rows of the temporary table.
    """

    loaded: tuple[str, ...]
    current: tuple[str, ...]
    subjects: Mapping[str, str]
    of_collections: Mapping[tuple[str, str], list[Figure]]
    n_rows: int

    def of(self, figure: str) -> Iterator[tuple[str, list[Figure]]]:
        """Yield each collection that was looked at, with its rows of a figure."""
        for collection in self.loaded if is_of_files(self.subjects[figure]) else self.current:
            yield collection, self.of_collections.get((collection, figure), [])


def is_of_files(subject: str) -> bool:
    """Return whether a subject is loaded files, which need no build."""
    return subject.partition(".")[0] in _OF_FILES


def models_of(connection: duckdb.DuckDBPyConnection, plan: Plan) -> Models:
    """Find the models that the mart reads, and the grid of figures."""
    built = {node.name: node for node in plan.relations if node.name in plan.loaded}
    [mart] = (node for node in plan.relations if node.relation == FIGURES)
    [grid] = (node for node in plan.relations if node.name == _GRID)
    of_figures = [built[name] for name in mart.reads if name in built]
    return Models(
        tuple(node for node in of_figures if built.keys().isdisjoint(node.reads)),
        tuple(node for node in of_figures if not built.keys().isdisjoint(node.reads)),
        dict(connection.sql(grid.sql).project("figure, subject").fetchall()),
    )


def take_figures(
    connection: duckdb.DuckDBPyConnection,
    models: Models,
    loaded: Mapping[int, str],
    current: Mapping[int, str],
    steps: Steps,
) -> Figures:
    """Compute all figures of collections, named by their keys, a model at a time.

    They stay in the temporary table of the rows that are validated. Raise PoolhouseError that names
    the figures which cannot be computed.
    """
    connection.execute(query("checked_rows"))
    _add(connection, models.of_files, loaded, steps)
    _add(connection, models.of_marts, current, steps)
    rows = connection.table(ROWS).fetchall()
    found: dict[tuple[str, str], list[Figure]] = {}
    for collection, figure, *rest in rows:
        found.setdefault((collection, figure), []).append(Figure(*rest))
    names = tuple(loaded.values()), tuple(current.values())
    return Figures(*names, models.subjects, found, len(rows))


def _add(
    connection: duckdb.DuckDBPyConnection,
    nodes: Sequence[Node],
    collections: Mapping[int, str],
    steps: Steps,
) -> None:
    if not collections:
        return
    keys = {"keys": list(collections), "most": _LINES_AT_A_TIME}
    portions = connection.execute(query("portions"), keys).fetchall()
    for node in nodes:
        with steps.step(node.name.removeprefix("int_").replace("_", " ")):
            for (portion,) in portions:
                set_at_hand(connection, {key: collections[key] for key in portion})
                connection.execute(f"insert into {ROWS} by name from ({node.sql})")
