"""Test the settings of experiments: the defaults, and the messages of refusals."""

from typing import Any

import pytest

from poolhouse.errors import PoolhouseError
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.option_values import EXPERIMENTS


def test_defaults_are_those_of_the_paper() -> None:
    """Webber & Park 2009: 1,000 samples (table 1); 100, with 200 of topics each (algorithm 3)."""
    drawn = {each: ExperimentSettings(each) for each in EXPERIMENTS}
    assert {name: (each.n_samples, each.n_topic_samples) for name, each in drawn.items()} == {
        "bias": (1000, None),
        "systems": (1000, None),
        "topics": (100, 200),
        "intervals": (1000, 1),
    }
    assert all(each.depth == 10 for each in drawn.values())
    assert all(each.widths == (2, 4, 10, 20, 40) for each in drawn.values())
    assert drawn["bias"].common_topic_counts is None
    assert drawn["topics"].common_topic_counts == (5, 10, 20, 30, 40)


def test_what_is_given_twice_or_in_disorder_is_the_same() -> None:
    given = ExperimentSettings("topics", widths=(4, 2, 4), common_topic_counts=[9, 5])
    assert given == ExperimentSettings("topics", widths=(2, 4), common_topic_counts=(5, 9))


def test_topics_are_not_drawn_where_none_are_asked_for() -> None:
    given = ExperimentSettings("systems", n_topic_samples=7, common_topic_counts=(3,))
    assert given == ExperimentSettings("systems")


def test_an_interval_is_about_one_sample_of_topics() -> None:
    assert ExperimentSettings("intervals", n_topic_samples=7) == ExperimentSettings("intervals")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"n_samples": 0}, "samples: 0, expected 1 or more"),
        ({"n_samples": 2**31}, "n_samples: 2147483648, expected 2147483647 or less"),
        ({"n_topic_samples": -1}, "topic samples: -1, expected 1 or more"),
        ({"depth": 0}, "depth: 0, expected 1 or more"),
        ({"widths": (1, 2)}, "widths: 1, expected 2 or more"),
        ({"common_topic_counts": (1, 5)}, "common topics: 1, expected 2 or more"),
        ({"seed": -1}, "seed: -1, expected 0 or more"),
        ({"seed": 2**63}, f"seed: {2**63}, expected {2**63 - 1} or less"),
    ],
)
def test_what_is_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(PoolhouseError) as refused:
        ExperimentSettings("topics", **given)
    assert str(refused.value) == problem
