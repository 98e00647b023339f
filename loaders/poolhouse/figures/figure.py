"""A figure: its rows by SQL, its drawing by Altair, and the words that belong to both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from poolhouse.figures.theme import specification_of
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_QUERIES = Path(__file__).parent / "queries"
_MEASURES = "select measure from dim_measures order by position"
_MAIN_MEASURE = "select main_measure from dim_collections where collection_id = $collection"
# Shown first in a figure that has no rows of the main measure.
_USUAL = ("AP", "P@10")


@dataclass(frozen=True)
class Figure:
    """One figure of a collection.

    `rows` names the file of its SQL. The first rows of the result matter most, and `most_rows` of
    them are drawn, for each measure if there is a choice. `is_empty_where` says when there are no
    rows. `reading` says in one sentence how to read the figure. `source` names its marts and its
    paper. `parameters` are the parameters of the SQL besides the collection. A figure that needs no
    judgements is drawn of every collection.
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
    parameters: tuple[str, ...] = ()
    needs_judgements: bool = True

    def ask(
        self, warehouse: Warehouse, collection: str, values: Mapping[str, object] | None = None
    ) -> pl.DataFrame:
        """Return all rows of the figure. Their texts hold no characters that a page would obey.

        Measures sort in the order of dim_measures: P@5 before P@10. If there is a choice, the rows
        of the measure that is shown first come first: the main measure of the collection.

        Raise PoolhouseError where the warehouse cannot be read, or the marts are not built.
        """
        sql = (_QUERIES / f"{self.rows}.sql").read_text(encoding="utf-8")
        frame = query_frame(warehouse, sql, {"collection": collection, **(values or {})})
        texts = pl.col(pl.String)
        frame = frame.with_columns(texts.map_elements(printable, return_dtype=pl.String))
        if "measure" not in frame.columns:
            return frame
        measures = query_frame(warehouse, _MEASURES)["measure"]
        frame = frame.with_columns(pl.col("measure").cast(pl.Enum(measures)))
        if not self.has_choice_of_measure or frame.is_empty():
            return frame
        main = query_frame(warehouse, _MAIN_MEASURE, {"collection": collection})["main_measure"]
        known = frame["measure"].unique().sort().to_list()
        first = next(each for each in (*main, *_USUAL, *known) if each in known)
        return frame.sort(pl.col("measure") != first, maintain_order=True)

    def drawn(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows that are drawn: the first ones."""
        if self.has_choice_of_measure:
            return rows.group_by("measure", maintain_order=True).head(self.most_rows)
        return rows.head(self.most_rows)

    def explained(self, rows: pl.DataFrame) -> str:
        """Return how to read the figure. If not all rows are drawn, say how many are."""
        if self.has_choice_of_measure:
            rows = rows.filter(pl.col("measure") == pl.col("measure").first())
        if rows.height <= self.most_rows:
            return self.reading
        return f"{self.reading} The first {self.most_rows} of {rows.height} are drawn."

    def specification(self, rows: pl.DataFrame, **properties: object) -> dict[str, Any]:
        """Return the figure of the rows as a Vega-Lite specification, with the rows inside.

        `rows` has at least one row. `properties` belong to the whole chart, such as its width.
        """
        described = f"{self.title}. {self.explained(rows)}"
        return specification_of(
            self.draw(self.drawn(rows)).properties(description=described, **properties)
        )
