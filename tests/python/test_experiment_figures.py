"""Test the figures of experiments: panels have the same lines, and each line is in its panel."""

from pathlib import Path

import polars as pl
import pytest
from matplotlib.figure import Figure

from poolhouse.experiments.findings import figures

SYSTEMS = pl.DataFrame(
    [
        (population, unjudged, width, "RBP(p=0.8)@10", estimator, size / width)
        for population, size in (("random", 0.1), ("manual", 0.9))
        for unjudged in ("nonrelevant", "condensed")
        for width in (2, 4)
        for estimator in ("unadjusted", "webber_park_systems", "another")
    ],
    schema=["population", "unjudged", "width", "measure", "estimator", "mae"],
    orient="row",
)


@pytest.mark.heavy
def test_the_order_of_the_rows_does_not_show(tmp_path: Path) -> None:
    for name, rows in (("one", SYSTEMS), ("other", SYSTEMS.reverse())):
        figures.draw(rows, "systems", "ours", tmp_path / f"{name}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


@pytest.mark.parametrize("populations", [("random", "manual"), ("manual", "random")])
def test_no_panel_cuts_errors_off(populations: tuple[str, str]) -> None:
    """Panels share their scale, whichever panel has the largest error."""
    axes = Figure().subplots(1, 2, sharey=True)
    for axis, population in zip(axes, populations, strict=True):
        figures._systems(axis, SYSTEMS.filter(population=population))
    lowest, highest = axes[0].get_ylim()
    assert lowest <= 0
    assert highest >= 0.9 / 2
