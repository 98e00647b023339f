"""The settings of an experiment: the samples and their seed."""

from dataclasses import dataclass
from typing import Any

from poolhouse.errors import PoolhouseError

POPULATIONS = ("random", "manual")

# Samples of runs, and of topics for each: algorithm 3 of Webber & Park 2009 draws 100 and 200. More
# samples are needed to compare a mean or a share with its expected value.
_SAMPLES = {"bias": 1000, "systems": 1000, "topics": 100, "intervals": 1000}
_TOPIC_SAMPLES = {"topics": 200, "intervals": 1}

_LARGEST_INTEGER = 2**31 - 1
_LARGEST_BIGINT = 2**63 - 1


@dataclass(frozen=True)
class ExperimentSettings:
    """The settings of an experiment. The defaults come from Webber & Park 2009.

    `depth` is the depth of the sampled pools, and the cutoff of the measures. Raise PoolhouseError
    for a number below 1, a seed below 0, a width or number of common topics below 2, and a value
    that does not fit into its column.
    """

    experiment: str
    n_samples: int
    n_topic_samples: int | None
    seed: int = 2009
    depth: int = 10
    widths: tuple[int, ...] = (2, 4, 10, 20, 40)
    common_topic_counts: tuple[int, ...] | None = (5, 10, 20, 30, 40)

    def __post_init__(self) -> None:
        topic_samples = None if self.n_topic_samples is None else (self.n_topic_samples,)
        allowed: dict[str, tuple[int, int, tuple[int, ...] | None]] = {
            "samples": (1, _LARGEST_INTEGER, (self.n_samples,)),
            "topic samples": (1, _LARGEST_INTEGER, topic_samples),
            "seed": (0, _LARGEST_BIGINT, (self.seed,)),
            "depth": (1, _LARGEST_INTEGER, (self.depth,)),
            "width": (2, _LARGEST_INTEGER, self.widths),
            # A single topic does not show how topics differ.
            "number of common topics": (2, _LARGEST_INTEGER, self.common_topic_counts),
        }
        for name, (least, most, values) in allowed.items():
            if values is None:
                continue
            if not values or min(values) < least:
                given = min(values, default="none")
                raise PoolhouseError(f"{name} is {given}, expected {least} or more")
            if max(values) > most:
                raise PoolhouseError(f"{name} is {max(values)}, expected {most} or less")


def settings_of(experiment: str, **given: Any) -> ExperimentSettings:  # noqa: ANN401 - those of the class
    """Replace missing values by defaults. Only two of the experiments sample topics.

    Only `topics` has a number of samples of topics, because an interval is about one sample.
    """
    defaults = {
        "n_samples": _SAMPLES[experiment],
        "n_topic_samples": _TOPIC_SAMPLES.get(experiment),
    }
    chosen = defaults | {name: value for name, value in given.items() if value is not None}
    if experiment != "topics":
        chosen |= {"n_topic_samples": defaults["n_topic_samples"]}
    if experiment not in _TOPIC_SAMPLES:
        chosen |= {"common_topic_counts": None}
    for name in ("widths", "common_topic_counts"):
        if chosen.get(name) is not None:
            chosen[name] = tuple(sorted(set(chosen[name])))
    return ExperimentSettings(experiment, **chosen)
