"""The figure of the experiment `pools`: what a pool costs, and what it leaves."""

from pathlib import Path

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from poolhouse.errors import PoolhouseError
from poolhouse.experiments.findings.figures import COLOURS, STYLE

_SIZE = (10.5, 4.6)  # inches
# The columns whose distance from 1 is drawn.
_PANELS = {
    "share_of_relevant": "share of the relevant documents that is missed",
    "kendall_tau": "1 - Kendall's tau of AP with all judgements",
}
# The strategies of a kind share a colour, and differ in their marks.
_MARKS = "osD^v<>PX*hp"


def draw_pools(rows: pl.DataFrame, collection: str, file: Path) -> None:
    """Draw one line per strategy over the number of documents of its pools.

    `rows` has strategy, kind, budget, n_documents and the columns of the panels. The end of the
    file's name selects the format. Raise PoolhouseError where the file cannot be written.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        figure.suptitle(f"{collection}: what a pool costs, and what it leaves", fontsize="medium")
        axes = figure.subplots(1, len(_PANELS))
        for axis, (column, title) in zip(axes, _PANELS.items(), strict=True):
            _panel(axis, rows, column, title)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
        try:
            metadata = {"Date": None} if file.suffix == ".svg" else None
            figure.savefig(file, metadata=metadata)
        except (OSError, ValueError) as error:
            raise PoolhouseError(f"{file}: the figure cannot be written: {error}") from error


def _panel(axis: Axes, rows: pl.DataFrame, column: str, title: str) -> None:
    kinds = rows["kind"].unique(maintain_order=True).to_list()
    for of_kind in rows.partition_by("kind", maintain_order=True):
        colour = COLOURS[kinds.index(of_kind["kind"][0])]
        for mark, line in zip(
            _MARKS, of_kind.partition_by("strategy", maintain_order=True), strict=False
        ):
            axis.plot(
                line["n_documents"],
                1 - line[column],
                color=colour,
                marker=mark,
                markersize=4,
                linewidth=0.9,
                label=line["strategy"][0],
            )
    axis.set_title(title, fontsize="small")
    axis.set_xlabel("documents to judge")
    axis.set_xscale("log")
    axis.set_yscale("log")
    ticks = rows["budget"].unique().sort().to_list()
    axis.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
