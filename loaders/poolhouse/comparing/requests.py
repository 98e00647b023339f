"""What comparisons of runs are asked for. Text is the name of a loaded run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from poolhouse.option_values import CORRECTIONS, DECIMALS, LEVEL, REPETITIONS, SEED, TESTS
from poolhouse.request_fields import check_limits, option, said

if TYPE_CHECKING:
    # No help text waits for it.
    from poolhouse.scoring.asked_runs import NewRun

_COLLECTION = said("The collection whose topics the runs answer.")
_MEASURES = said(
    "A measure that is a mean over topics, such as AP or nDCG@10; may be repeated.",
    "-m",
    "--measure",
    is_repeated=True,
)


def _repetitions() -> Any:  # noqa: ANN401 - as option
    return option(
        "Number of times that the randomization test draws sign flips.",
        default=REPETITIONS,
        least=1,
        shows_default=True,
    )


def _seed() -> Any:  # noqa: ANN401 - as option
    return option("Seed of the flips.", default=SEED, least=0, shows_default=True)


@frozen
class ComparisonRequest:
    """The runs of a collection to compare: each pair, or each run with each baseline.

    `baseline` are names of some of the runs. `has_cases` asks for the cases of the decision matrix.
    """

    collection: str = field(metadata=_COLLECTION)
    runs: "Sequence[str | NewRun]"
    measures: Sequence[str] = field(metadata=_MEASURES)
    baseline: Sequence[str] = option(
        "Compare each other run with this one, which is one of the runs; may be repeated.  "
        "[default: every pair]",
        default=(),
        metavar="RUN",
    )
    repetitions: int = _repetitions()
    seed: int = _seed()
    has_cases: bool = True

    def __attrs_post_init__(self) -> None:
        check_limits(self)


@frozen
class _Gated:
    run: "str | NewRun"
    baseline: "str | NewRun" = field(
        metadata=said("The run of the system as it is.", metavar="RUN")
    )


@frozen(kw_only=True)
class GateRequest(_Gated):
    """A run and its baseline, and what the run may lose or has to gain by each measure.

    Without an allowance, the run must not be significantly worse.
    """

    collection: str = field(metadata=_COLLECTION)
    measures: Sequence[str] = field(metadata=_MEASURES)
    max_loss: float | None = option(
        "Pass only if the loss is surely less than D, and fail only if it is surely more.",
        metavar="D",
    )
    min_gain: float | None = option(
        "Pass only if the gain is surely D or more, and fail only if it is surely less.",
        metavar="D",
    )


@frozen
class _Tabled:
    runs: "Sequence[str | NewRun]"
    collections: Sequence[str] = field(
        metadata=said(
            "A collection whose topics the runs answer; may be repeated, for columns side by side.",
            "--collection",
            is_repeated=True,
        )
    )
    measures: Sequence[str] = field(metadata=_MEASURES)


@frozen(kw_only=True)
class TestedRuns(_Tabled):
    """The runs of a table, and how differences are tested."""

    baseline: Sequence[str] = option(
        "Mark runs that differ significantly from this one, which is one of the runs; may be "
        "repeated.",
        default=(),
        metavar="RUN",
    )
    test: str | None = option(
        "Test of the differences. Without --baseline, all pairs are tested.  [default: the paired "
        "t-test with --baseline, and none without]",
        among=TESTS,
    )
    correction: str | None = option(
        "Correction for all comparisons by a measure on a collection; tukey needs none.  "
        "[default: holm]",
        among=CORRECTIONS,
    )
    level: float = option("Level of significance.", default=LEVEL, shows_default=True)
    repetitions: int = _repetitions()
    seed: int = _seed()

    def __attrs_post_init__(self) -> None:
        check_limits(self)


@frozen(kw_only=True)
class TableRequest(TestedRuns):
    """The runs, collections and measures of a table, and how differences are tested.

    With `baseline`, names of some of the runs, each run is compared with each of them, by the
    paired t-test unless `test` names another. With a test and without baselines, all pairs are
    compared. With neither, none are. `correction` is Holm's unless it is named, and cannot be named
    with Tukey's test. `level` is the level of the tests, and 1 - level the confidence of intervals.
    Where unjudged documents matter, a difference is also tested as it is expected if every document
    were judged, unless the table is `plain`. `unjudged` asks for the share of unjudged documents
    among the first ten, and `estimated` for scores if every document were judged.
    """

    unjudged: bool = option(
        "Show the share of unjudged documents among the first ten.", default=False
    )
    plain: bool = option("Mark what is significant as judged, whatever is unjudged.", default=False)
    estimated: bool = option(
        "Show the scores that are expected if every document were judged, with their intervals.",
        default=False,
    )
    decimals: int = option(
        "Decimals of scores.", default=DECIMALS, least=1, most=9, shows_default=True
    )

    @property
    def is_tested_if_judged(self) -> bool:
        """Whether differences are tested as they are expected if every document were judged."""
        return self.test is not None and not self.plain
