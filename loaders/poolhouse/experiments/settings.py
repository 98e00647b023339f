"""What an experiment is asked for: how many samples of what, by which lots."""

from dataclasses import dataclass
from typing import Any

from poolhouse.errors import PoolhouseError

EXPERIMENTS = ("bias", "systems", "topics", "intervals")
POPULATIONS = ("random", "manual")

# Samples of runs, and of topics for each: algorithm 3 of Webber & Park 2009 draws 100 and 200. It
# takes more of them to tell a mean, or a share of them, from what is expected of it.
_SAMPLES = {"bias": 1000, "systems": 1000, "topics": 100, "intervals": 1000}
_TOPIC_SAMPLES = {"topics": 200, "intervals": 1}


@dataclass(frozen=True)
class ExperimentSettings:
    """How an experiment is drawn; the defaults are those of Webber & Park 2009.

    `depth` is that of the sampled pools, and the cutoff of the measures. Errors: PoolhouseError for
    what is less than 1, or a width or number of common topics below 2.
    """

    experiment: str
    n_samples: int
    n_topic_samples: int | None
    seed: int = 2009
    depth: int = 10
    widths: tuple[int, ...] = (2, 4, 10, 20, 40)
    common_topic_counts: tuple[int, ...] | None = (5, 10, 20, 30, 40)

    def __post_init__(self) -> None:
        smallest = {
            "samples": (1, (self.n_samples,)),
            "topic samples": (1, (self.n_topic_samples or 1,)),
            "depth": (1, (self.depth,)),
            "width": (2, self.widths),
            # A single topic does not tell how topics differ.
            "number of common topics": (2, self.common_topic_counts or (2,)),
        }
        for name, (least, values) in smallest.items():
            if not values or min(values) < least:
                given = min(values, default="none")
                raise PoolhouseError(f"{name} is {given}, expected {least} or more")


def settings_of(experiment: str, **given: Any) -> ExperimentSettings:  # noqa: ANN401 - those of the class
    """Fill in what is not given, or None; topics are drawn by two of the experiments alone."""
    draws_topics = experiment in _TOPIC_SAMPLES
    defaults = {
        "n_samples": _SAMPLES[experiment],
        "n_topic_samples": _TOPIC_SAMPLES.get(experiment),
    }
    chosen = defaults | {name: value for name, value in given.items() if value is not None}
    if not draws_topics:
        chosen |= {"n_topic_samples": None, "common_topic_counts": None}
    for name in ("widths", "common_topic_counts"):
        if chosen.get(name):
            chosen[name] = tuple(sorted(set(chosen[name])))
    return ExperimentSettings(experiment, **chosen)
