"""Figures of experiments: a panel for each population, and errors by pool width or topics."""

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import matplotlib as mpl
import polars as pl
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, StrMethodFormatter

from poolhouse.errors import PoolhouseError

_PANEL = (4.2, 3.4)  # inches
_LEGEND = 2.0
_PANELS_A_LINE = 2
STYLE: dict[Any, Any] = {
    # The same figure gives the same file.
    "svg.hashsalt": "poolhouse",
    # Letters are text, so that files are small and can be searched.
    "svg.fonttype": "none",
    # Names of collections are not formulas.
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "legend.fontsize": "small",
}
# People with any colour vision tell them apart (M. Okabe and K. Ito, Color Universal Design).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


def draw(rows: pl.DataFrame, experiment: str, collection: str, file: Path | IO[bytes]) -> None:
    """Draw the rows of an experiment's mart.

    The end of the file's name selects the format. A figure in memory is an SVG. Raise
    PoolhouseError where the file cannot be written.
    """
    format_ = file.suffix.removeprefix(".") if isinstance(file, Path) else "svg"
    measure = max(rows["measure"].unique())  # RBP, if it is among the measures
    rows = _with_colours(rows.filter(pl.col("measure") == measure))
    title, panels, plot = _FIGURES[experiment]
    with mpl.rc_context(STYLE):
        mpl.rcParams["axes.prop_cycle"] = cycler(color=COLOURS)
        groups = rows.sort(panels, descending=True).partition_by(panels, maintain_order=True)
        n_columns = min(len(groups), _PANELS_A_LINE)
        n_lines = -(-len(groups) // n_columns)
        size = (_PANEL[0] * n_columns + _LEGEND, _PANEL[1] * n_lines)
        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(f"{collection}: {title}, {measure}", fontsize="medium")
        axes = figure.subplots(n_lines, n_columns, sharey=True, squeeze=False).flat
        for axis, group in zip(axes, groups, strict=False):
            axis.set_title(", ".join(str(group[name][0]) for name in panels), fontsize="small")
            plot(axis, group)
        # All panels have the same legend.
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
        try:
            metadata = {"Date": None} if format_ == "svg" else None
            figure.savefig(file, format=format_, metadata=metadata)
        except (OSError, ValueError) as error:
            raise PoolhouseError(f"{file}: the figure cannot be written: {error}") from error


def _with_colours(rows: pl.DataFrame) -> pl.DataFrame:
    """Assign a colour to each line, because a panel may lack some of the estimators."""
    if "estimator" not in rows.columns:
        return rows
    line = pl.col("estimator")
    if "method" in rows.columns:
        # All intervals of the recommended estimate, and the t interval of the other estimates.
        rows = rows.filter((line == "webber_park_topics") | (pl.col("method") == "t"))
        line = pl.concat_str(line, "method", separator=", ")
    return rows.with_columns(line=line, colour=pl.format("C{}", line.rank("dense") - 1))


def _bias(axis: Axes, rows: pl.DataFrame) -> None:
    """Mean and quartiles of the bias by width, for each treatment (figure 1 of the paper)."""
    for of_one in rows.sort("unjudged", "width").partition_by("unjudged", maintain_order=True):
        unjudged = of_one["unjudged"][0]
        mean = of_one["mean_bias"]
        axis.plot(of_one["width"], mean, marker="o", label=f"{unjudged}: mean")
        axis.fill_between(
            of_one["width"],
            of_one["lower_quartile"],
            of_one["upper_quartile"],
            alpha=0.2,
            label=f"{unjudged}: quartiles",
        )
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_ylabel("unpooled less true score")
    _by_width(axis, rows)


def _systems(axis: Axes, rows: pl.DataFrame) -> None:
    """Draw the mean absolute error by width, with a line for each estimator (table 1)."""
    for of_one in rows.sort("estimator", "width").partition_by("estimator", maintain_order=True):
        axis.plot(of_one["width"], of_one["mae"], marker="o", label=of_one["estimator"][0])
    # Not a fixed limit, which would come from the first panel and cut off lines of the others.
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_ylabel("mean absolute error")
    _by_width(axis, rows)


def _topics(axis: Axes, rows: pl.DataFrame) -> None:
    """Mean absolute error by number of common topics, narrowest and widest pool (tables 2 to 4)."""
    for width, style in zip((rows["width"].min(), rows["width"].max()), ("-", "--"), strict=True):
        of_width = rows.filter(pl.col("width") == width).sort("estimator", "n_common_topics")
        for of_one in of_width.partition_by("estimator", maintain_order=True):
            axis.plot(
                of_one["n_common_topics"],
                of_one["mae"],
                style,
                color=of_one["colour"][0],
                marker=".",
                label=f"{of_one['estimator'][0]}, width {of_one['width'][0]}",
            )
    axis.set_xlabel("common topics")
    axis.set_ylabel("mean absolute error")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    _ticks(axis, rows["n_common_topics"])


def _intervals(axis: Axes, rows: pl.DataFrame) -> None:
    """Coverage by number of common topics, mean over the widths."""
    means = (
        rows.group_by("confidence", "line", "colour", "n_common_topics")
        .agg(pl.col("coverage").mean())
        .sort("confidence", "line", "n_common_topics")
    )
    for of_confidence in means.partition_by("confidence", maintain_order=True):
        confidence = of_confidence["confidence"][0]
        style = "-" if confidence == means["confidence"].max() else "--"
        axis.axhline(confidence, color="black", linewidth=0.8, linestyle=style)
        for of_one in of_confidence.partition_by("line", maintain_order=True):
            axis.plot(
                of_one["n_common_topics"],
                of_one["coverage"],
                style,
                color=of_one["colour"][0],
                marker=".",
                label=f"{of_one['line'][0]}, {confidence:.0%}",
            )
    axis.set_xlabel("common topics")
    axis.set_ylabel("intervals that hold the true score")
    axis.set_ylim(0.3, 1)
    _ticks(axis, rows["n_common_topics"])


def _by_width(axis: Axes, rows: pl.DataFrame) -> None:
    axis.set_xlabel("runs in the pool")
    axis.set_xscale("log", base=2)
    _ticks(axis, rows["width"])


def _ticks(axis: Axes, values: pl.Series) -> None:
    """Label the axis with only the sampled values."""
    shown = values.unique().sort().to_list()
    axis.set_xticks(shown, [str(value) for value in shown])
    axis.minorticks_off()


_FIGURES: dict[str, tuple[str, list[str], Callable[[Axes, pl.DataFrame], None]]] = {
    "bias": ("bias of a run that is not in the pool", ["population"], _bias),
    "systems": ("inference from systems", ["population", "unjudged"], _systems),
    "topics": ("inference from topics", ["population", "unjudged"], _topics),
    "intervals": (
        "intervals about the score adjusted from topics",
        ["population", "unjudged"],
        _intervals,
    ),
}
