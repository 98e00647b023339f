"""The figure of a comparison: differences of means with intervals, one panel per measure."""

from pathlib import Path

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure

from poolhouse.errors import PoolhouseError
from poolhouse.experiments.findings.figures import STYLE
from poolhouse.output.printable import printable
from poolhouse.scores.comparing import CONFIDENCE

_WIDTH = 6.4  # inches
_HEIGHT_OF_PAIR = 0.3
_HEIGHT_OF_PANEL = 1.0


def draw(rows: pl.DataFrame, collection: str, file: Path) -> None:
    """Draw `comparison_tables.figure_rows`. The end of the file's name selects the format.

    Raise PoolhouseError where the file cannot be written.
    """
    panels = rows.partition_by("measure", maintain_order=True)
    heights = [_HEIGHT_OF_PANEL + _HEIGHT_OF_PAIR * panel.height for panel in panels]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH, sum(heights)), layout="constrained")
        figure.suptitle(
            printable(f"{collection}: mean difference, {CONFIDENCE:.0%} interval (t)"),
            fontsize="medium",
        )
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights).flat
        for axis, panel in zip(axes, panels, strict=True):
            # The first pair at the top.
            places = range(panel.height - 1, -1, -1)
            mean = panel["mean_difference"]
            low = mean - panel["interval_low"].fill_null(mean)
            high = panel["interval_high"].fill_null(mean) - mean
            axis.errorbar(
                mean.to_list(),
                list(places),
                xerr=[low.to_list(), high.to_list()],
                fmt="o",
                capsize=3,
            )
            axis.axvline(0, color="black", linewidth=0.8)
            axis.set_yticks(list(places), [printable(pair) for pair in panel["pair"]])
            axis.set_ylim(-0.5, panel.height - 0.5)
            axis.set_title(panel["measure"][0], fontsize="small")
        try:
            figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
        except (OSError, ValueError) as error:
            raise PoolhouseError(f"{file}: the figure cannot be written: {error}") from error
