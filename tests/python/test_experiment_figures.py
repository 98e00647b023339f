"""Test the figures of experiments: panels share their scale, and estimates have intervals."""

from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from poolhouse.figures.experiments import specification
from poolhouse.figures.files import drawn
from poolhouse.figures.strategies import specification as strategies
from poolhouse.figures.style import DEFAULT_STYLE

SYSTEMS = pl.DataFrame(
    [
        (population, unjudged, width, "RBP(p=0.8)@10", estimator, size / width, 0.01)
        for population, size in (("random", 0.1), ("manual", 0.9))
        for unjudged in ("nonrelevant", "condensed")
        for width in (2, 4)
        for estimator in ("unadjusted", "webber_park_systems", "another")
    ],
    schema=[
        *("population", "unjudged", "width", "measure", "estimator", "mae"),
        "mae_standard_error",
    ],
    orient="row",
)
WIDE, NARROW = 600, 300


def svg_of(figure: dict[str, Any]) -> ElementTree.Element:
    return ElementTree.fromstring(drawn(figure, "title", "ours", DEFAULT_STYLE))  # noqa: S314 - our own file


def marks(svg: ElementTree.Element, kind: str) -> int:
    """Return the number of marks of a kind, in all panels."""
    groups = [each for each in svg.iter() if f"mark-{kind} role-mark" in str(each.get("class"))]
    return sum(len(group) for group in groups)


@pytest.mark.heavy
def test_the_order_of_the_rows_does_not_show() -> None:
    one, other = (
        drawn(specification(rows, "systems", WIDE), "title", "ours", DEFAULT_STYLE)
        for rows in (SYSTEMS, SYSTEMS.reverse())
    )
    assert one == other


@pytest.mark.parametrize("populations", [("random", "manual"), ("manual", "random")])
def test_no_panel_cuts_errors_off(populations: tuple[str, str]) -> None:
    """Panels share their scale, whichever panel has the largest error."""
    rows = pl.concat(SYSTEMS.filter(population=each) for each in populations)
    svg = svg_of(specification(rows, "systems", WIDE))
    labels = [each.text for each in svg.iter() if each.text]
    # One axis for each line of panels.
    assert labels.count("0.45") == 2
    assert {"random, nonrelevant", "manual, condensed", "2", "4"} <= set(labels)


def test_each_error_has_its_interval() -> None:
    svg = svg_of(specification(SYSTEMS, "systems", WIDE))
    assert marks(svg, "symbol") == SYSTEMS.height
    # A level of 0 in each of four panels, and the intervals.
    assert marks(svg, "rule") == SYSTEMS.height + 4
    without = SYSTEMS.with_columns(mae_standard_error=pl.lit(None, pl.Float64))
    assert marks(svg_of(specification(without, "systems", WIDE)), "rule") == 4


def test_panels_stand_below_each_other_in_a_column_of_text() -> None:
    assert specification(SYSTEMS, "systems", WIDE)["columns"] == 2
    assert specification(SYSTEMS, "systems", NARROW)["columns"] == 1


def test_errors_from_topics_may_all_be_0() -> None:
    """A logarithmic axis has no 0: points at 0 are left out if there are others."""
    some = SYSTEMS.with_columns(
        n_common_topics=pl.lit(5), mae=pl.when(pl.col("width") == 2).then("mae").otherwise(0.0)
    )
    none = some.with_columns(mae=pl.lit(0.0))
    assert marks(svg_of(specification(some, "topics", WIDE)), "symbol") == SYSTEMS.height // 2
    svg = svg_of(specification(none, "topics", WIDE))
    assert marks(svg, "symbol") == SYSTEMS.height
    assert "random, nonrelevant" in [each.text for each in svg.iter()]


def test_a_strategy_that_misses_nothing_has_no_place_on_a_logarithmic_axis() -> None:
    rows = pl.DataFrame(
        {
            **{"strategy": ["depth", "depth", "rrf"], "kind": ["fixed", "fixed", "fusion"]},
            **{"budget": [10, 20, 10], "n_documents": [10, 20, 11]},
            **{"share_of_relevant": [0.5, 1.0, 0.6], "kendall_tau": [0.8, 0.9, 0.7]},
        }
    )
    svg = svg_of(strategies(rows, WIDE))
    assert marks(svg, "symbol") == 5
    assert {"depth", "rrf"} <= {each.text for each in svg.iter()}
    all_found = rows.with_columns(share_of_relevant=1.0, kendall_tau=1.0)
    assert marks(svg_of(strategies(all_found, WIDE)), "symbol") == 0
