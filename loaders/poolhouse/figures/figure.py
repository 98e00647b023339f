"""A figure: its rows by SQL, its drawing by Altair, and the words that belong to both."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from poolhouse.figures.theme import specification_of
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.first_rows import Bound, FirstRows, first_rows
from poolhouse.warehouse.frame_queries import query_frame

_QUERIES = Path(__file__).parent / "queries"
_MEASURES = "select measure from dim_measures order by position"
_MAIN_MEASURES = """
select collection_id, main_measure from dim_collections
where list_contains($collections, collection_id)
"""
# Shown first in a figure that has no rows of the main measure.
_USUAL = ("AP", "P@10")


def _as_it_is(rows: pl.DataFrame) -> pl.DataFrame:
    return rows


@dataclass(frozen=True)
class Figure:
    """One figure of a collection.

    `rows` names the file of its SQL. The first rows of the result matter most, and `most_rows` of
    them are drawn, for each measure if there is a choice. `first_are` says which rows come first.
    `is_empty_where` says when there are no rows. `reading` says in one sentence how to read the
    figure. `source` names its marts and its paper. `parameters` are the parameters of the SQL
    besides the collection; one without a value is null. A figure that needs no judgements is drawn
    of every collection.

    `prepare` adds columns to the drawn rows that SQL cannot compute. `facts` are all that `draw`
    knows of the rows besides the rows themselves (`alike.py`).
    """

    name: str
    title: str
    reading: str
    source: str
    rows: str
    is_empty_where: str
    draw: Callable[[pl.DataFrame], alt.LayerChart | alt.Chart]
    has_choice_of_measure: bool = False
    most_rows: int = 300
    first_are: str = ""
    parameters: tuple[str, ...] = ()
    needs_judgements: bool = True
    prepare: Callable[[pl.DataFrame], pl.DataFrame] = _as_it_is
    facts: Callable[[pl.DataFrame], Hashable] | None = None

    def ask(
        self, warehouse: Warehouse, collection: str, values: Mapping[str, object] | None = None
    ) -> pl.DataFrame:
        """Return all rows of the figure. Their texts hold no characters that a page would obey.

        Measures sort in the order of dim_measures: P@5 before P@10. If there is a choice, the rows
        of the measure that is shown first come first: the main measure of the collection.

        Raise PoolhouseError where the warehouse cannot be read, or the marts are not built.
        """
        lists = {name: [value] for name, value in (values or {}).items()}
        return self.ask_each(warehouse, [collection], lists)[collection].rows

    def ask_each(
        self,
        warehouse: Warehouse,
        collections: Sequence[str],
        values: Mapping[str, Sequence[object]] | None = None,
        most: int | None = None,
    ) -> dict[str, FirstRows]:
        """Return the rows for each collection, as `ask` does, and `most` of them at most.

        They are so many for each measure if there is a choice. `values` has a value for each
        collection. Raise the errors of `ask`.
        """
        sql = (_QUERIES / f"{self.rows}.sql").read_text(encoding="utf-8")
        by = "measure" if self.has_choice_of_measure else None
        nothing = {name: [None] * len(collections) for name in self.parameters}
        values = {**nothing, **(values or {})}
        rows = first_rows(warehouse, sql, collections, values, Bound(most, by))
        shown = pl.col(pl.String).exclude("collection_id")
        rows = rows.with_columns(shown.map_elements(printable, return_dtype=pl.String))
        if "measure" in rows.columns:
            measures = query_frame(warehouse, _MEASURES)["measure"]
            rows = rows.with_columns(pl.col("measure").cast(pl.Enum(measures)))
        if by and not rows.is_empty():
            asked = {"collections": list(collections)}
            rows = _begun_with(query_frame(warehouse, _MAIN_MEASURES, asked), rows)
        return FirstRows.of_each(rows, collections)

    def drawn(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows that are drawn: the first ones."""
        if self.has_choice_of_measure:
            return self.prepare(rows.group_by("measure", maintain_order=True).head(self.most_rows))
        return self.prepare(rows.head(self.most_rows))

    def explained(self, rows: pl.DataFrame, n_rows: int | None = None) -> str:
        """Return how to read the figure. If not all rows are drawn, say how many are.

        `n_rows` is the number of all rows, of the measure that is shown first.
        """
        if self.has_choice_of_measure:
            rows = rows.filter(pl.col("measure") == pl.col("measure").first())
        n_rows = rows.height if n_rows is None else n_rows
        if n_rows <= self.most_rows:
            return self.reading
        first_are = f": {self.first_are}" if self.first_are else ""
        return f"{self.reading} The first {self.most_rows} of {n_rows} are drawn{first_are}."

    def specification(self, rows: pl.DataFrame, **properties: object) -> dict[str, Any]:
        """Return the figure of the rows as a Vega-Lite specification, with the rows inside.

        `rows` has at least one row. `properties` belong to the whole chart, such as its width.
        """
        described = self.described(self.explained(rows))
        return specification_of(
            self.draw(self.drawn(rows)).properties(description=described, **properties)
        )

    def described(self, reading: str) -> str:
        """Return what a screen reader says of the figure."""
        return f"{self.title}. {reading}"


def _begun_with(main_measures: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Sort the rows of the measure that is shown first in each collection before the others."""
    measure = pl.col("measure")
    usual = {name: place - len(_USUAL) for place, name in enumerate(_USUAL)}
    place = measure.cast(pl.String).replace_strict(
        usual, default=measure.to_physical(), return_dtype=pl.Int64
    )
    is_main = measure.cast(pl.String) == pl.col("main_measure")
    place = pl.when(is_main).then(-len(_USUAL) - 1).otherwise(place)
    return (
        rows.join(main_measures, on="collection_id", how="left", maintain_order="left")
        .with_columns(place.alias("place_of_measure"))
        .sort(
            pl.col("place_of_measure") != pl.col("place_of_measure").min().over("collection_id"),
            maintain_order=True,
        )
        .drop("main_measure", "place_of_measure")
    )
