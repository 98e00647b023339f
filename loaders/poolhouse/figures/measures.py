"""The choice of a measure in a figure that shows one measure at a time."""

import altair as alt
import polars as pl

# The rows of the measure that is shown.
IS_SHOWN = "datum.measure === measure"


def measures_of(rows: pl.DataFrame) -> list[str]:
    """Return the measures of the rows, in the order of the column (Figure.ask)."""
    return rows["measure"].unique().sort().to_list()


def shown_first(rows: pl.DataFrame) -> str:
    """Return the measure that is shown until another one is chosen: that of the first row."""
    return str(rows["measure"][0])


def choice_of(rows: pl.DataFrame) -> tuple[str, ...]:
    """Return all that a choice of measure knows of the rows (Figure.facts)."""
    return shown_first(rows), *measures_of(rows)


def of_shown_measure(rows: pl.DataFrame, *params: alt.Parameter) -> alt.Chart:
    """Return a chart of the measure that is shown; a page has a list to choose another one from."""
    binding = alt.binding_select(options=measures_of(rows), name="measure ")
    measure = alt.param(name="measure", value=shown_first(rows), bind=binding)
    return alt.Chart(rows).add_params(measure, *params).transform_filter(IS_SHOWN)
