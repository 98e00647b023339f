"""What an experiment is asked for: the samples and their seed, pools, later judgements."""

from collections.abc import Iterable
from pathlib import Path

from attrs import field, frozen

from poolhouse.errors import PoolhouseError
from poolhouse.option_values import LARGEST_DECLARED, LARGEST_UNKNOWN
from poolhouse.output.printable import printable
from poolhouse.request_fields import check_limits, option, said

POPULATIONS = ("random", "manual")

# Samples of runs, and of topics for each: algorithm 3 of Webber & Park 2009 draws 100 and 200. More
# samples are needed to compare a mean or a share with its expected value.
_SAMPLES = {"bias": 1000, "systems": 1000, "topics": 100, "intervals": 1000}
_TOPIC_SAMPLES = {"topics": 200, "intervals": 1}

# What fits into the columns.
_MOST = {
    **dict.fromkeys(("n_samples", "n_topic_samples", "depth"), LARGEST_DECLARED),
    "seed": 2**63 - 1,
}


def _in_order(numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(sorted(set(numbers)))


@frozen
class ExperimentSettings:
    """The settings of an experiment. The defaults come from Webber & Park 2009.

    `depth` is the depth of the sampled pools, and the cutoff of the measures. Only two experiments
    sample topics, and the others have no numbers of common topics. Of these two, only `topics`
    takes a number of samples of topics, because an interval is about one sample. Raise
    PoolhouseError for a number outside its limits.
    """

    experiment: str
    n_samples: int = option(
        "Number of samples of runs.  [default: 1000; for `topics` 100]",
        "--samples",
        least=1,
    )
    n_topic_samples: int | None = option(
        "Number of samples of topics for each sample of runs, in `topics`.  [default: 200]",
        "--topic-samples",
        least=1,
    )
    seed: int = option("Seed of the random draws.  [default: 2009]", default=2009, least=0)
    depth: int = option(
        "Pool depth, and cutoff of the measures.  [default: 10]",
        default=10,
        least=1,
    )
    widths: tuple[int, ...] = field(
        default=(2, 4, 10, 20, 40),
        converter=_in_order,
        metadata=said("Pool widths in runs.  [default: 2,4,10,20,40]", least=2),
    )
    # A single topic does not show how topics differ.
    common_topic_counts: tuple[int, ...] | None = field(
        default=(5, 10, 20, 30, 40),
        converter=_in_order,
        metadata=said(
            "Numbers of common topics.  [default: 5,10,20,30,40]",
            "--common-topics",
            least=2,
        ),
    )

    def __attrs_post_init__(self) -> None:
        chosen: dict[str, object] = {}
        if self.n_samples is None:
            chosen["n_samples"] = _SAMPLES[self.experiment]
        if self.n_topic_samples is None or self.experiment != "topics":
            chosen["n_topic_samples"] = _TOPIC_SAMPLES.get(self.experiment)
        if self.experiment not in _TOPIC_SAMPLES:
            chosen["common_topic_counts"] = None
        for name, value in chosen.items():
            object.__setattr__(self, name, value)  # as a frozen class sets a field
        check_limits(self)
        for name, most in _MOST.items():
            if (value := getattr(self, name) or 0) > most:
                raise PoolhouseError(f"{name}: {value}, expected {most} or less")


@frozen
class PoolSettings:
    """Budgets (of all topics together), strategies, the seed, and the cutoff of estimated measures.

    No budgets stand for 5, 10, 25 and 50 % of the judgements, no strategies for all of them.
    """

    budgets: tuple[int, ...] = option(
        "Numbers of judgements, in `pools`.  [default: 5, 10, 25 and 50 % of the judgements]",
        default=(),
        least=1,
    )
    strategies: tuple[str, ...] = option(
        "Pooling strategy, in `pools`. Repeatable.  [default: all of dim_pooling_strategies]",
        "--strategy",
        default=(),
    )
    seed: int = 2009
    depth: int = 10

    def __attrs_post_init__(self) -> None:
        check_limits(self)


@frozen
class LaterRequest:
    """A collection, its later judgements (a file of qrels, or an author), and files of estimates.

    A text that is the path of a file is a file.
    """

    collection: str
    judgements: str = field(
        metadata=said(
            "Later judgements, in `later`: a file of qrels, or an author whose labels are loaded. "
            "Without them, the stored results are shown.",
            metavar="FILE|AUTHOR",
        )
    )
    estimates: tuple[Path, ...] = option(
        "CSV of estimates by anybody (run_id,measure,estimate[,low,high][,estimator]) that are "
        "scored too, in `later` and `left-out`. Repeatable.",
        default=(),
        is_file=True,
    )

    @property
    def file(self) -> Path | None:
        """The file of judgements, if the text is the path of one."""
        # No help text waits for the engine.
        from poolhouse.scoring.asked_runs import file_of  # noqa: PLC0415

        return file_of(self.judgements, ())

    @property
    def name(self) -> str:
        """The name of the file or author."""
        return printable(self.file.name) if self.file else self.judgements


@frozen
class Compared:
    """The stored results of `later` or `left-out` that are shown.

    Runs count of which at most `unknown` of the weight is judged neither before nor later.
    """

    collection: str
    experiment: str = "later"
    unknown: float = option(
        "In `later`, a run counts if at most this share of its weight is judged neither before nor "
        "later.",
        default=LARGEST_UNKNOWN,
        shows_default=True,
    )
