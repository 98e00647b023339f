"""The choice of a measure in a figure that shows one measure at a time."""

from collections.abc import Sequence

import altair as alt
import polars as pl

_FIRST = ("AP", "P@10")

# The rows of the measure that is shown.
IS_SHOWN = "datum.measure === measure"


def measures_of(rows: pl.DataFrame) -> list[str]:
    """Return the measures of the rows, in the order of the column (Figure.ask)."""
    return rows["measure"].unique().sort().to_list()


def shown_first(measures: Sequence[str]) -> str:
    """Return the measure that is shown until another one is chosen: AP or P@10 if it has one."""
    return next((each for each in _FIRST if each in measures), measures[0])


def choice_of_measure(rows: pl.DataFrame) -> alt.Parameter:
    """Return the parameter `measure`, for which a page has a list to choose from."""
    measures = measures_of(rows)
    binding = alt.binding_select(options=measures, name="measure ")
    return alt.param(name="measure", value=shown_first(measures), bind=binding)
