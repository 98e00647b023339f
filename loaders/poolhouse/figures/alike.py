"""Specifications of figures whose rows are alike: drawn once, and then filled with other rows.

Drawing a figure takes a tenth of a second, and a report on many collections has thousands.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from poolhouse.figures.figure import Figure

_Part = Callable[[pl.DataFrame], pl.DataFrame]
# The parts of the rows that a drawing has as its data sets: all, and the first one.
_PARTS: tuple[_Part, ...] = (lambda rows: rows, lambda rows: rows.head(1))


@dataclass(frozen=True)
class _Template:
    """A specification, and the part of the rows in each data set that holds rows."""

    specification: Mapping[str, Any]
    parts: Mapping[str, _Part]

    @classmethod
    def of(cls, specification: Mapping[str, Any], rows: pl.DataFrame) -> "_Template":
        parts = {
            name: part
            for part in reversed(_PARTS)
            for name, values in specification["datasets"].items()
            if values == part(rows).to_dicts()
        }
        return cls(specification, parts)

    def filled(self, rows: pl.DataFrame) -> dict[str, Any]:
        of_rows = {name: part(rows).to_dicts() for name, part in self.parts.items()}
        return {**self.specification, "datasets": {**self.specification["datasets"], **of_rows}}


class Drawings:
    """Figures with the same properties, such as the width of a page."""

    def __init__(self, **properties: object) -> None:
        """Begin without any drawing."""
        self._properties = properties
        self._templates: dict[Hashable, _Template] = {}

    def specification(self, figure: Figure, rows: pl.DataFrame, reading: str) -> dict[str, Any]:
        """Return the specification of a figure, as Figure.specification does, with this reading."""
        drawn = figure.drawn(rows)
        specification = self._filled(figure, drawn) or figure.specification(
            rows, **self._properties
        )
        return specification | {"description": figure.described(reading)}

    def _filled(self, figure: Figure, rows: pl.DataFrame) -> dict[str, Any] | None:
        """Return the drawing of rows that are alike, with these rows; None where none can be."""
        if figure.facts is None:
            return None
        # Of a single row, the data set of the first row is that of all rows.
        key = figure.name, rows.height == 1, figure.facts(rows)
        if key not in self._templates:
            made = figure.specification(rows, **self._properties)
            self._templates[key] = _Template.of(made, rows)
        template = self._templates[key]
        return template.filled(rows) if template.parts else None
