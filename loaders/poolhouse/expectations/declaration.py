"""How an expectation is written down: what is expected, of what, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

# Sums of floats in another order differ in the last digits.
FLOAT_NOISE = 1e-9

# Above every number that is counted or divided here. Without an upper bound a float may be
# infinite, or no number at all, which the engine sorts above every other.
FINITE = 1e18

# Rows of a sample: enough to see what they have in common.
SAMPLE_SIZE = 5


class SuiteName(StrEnum):
    """The three groups of expectations; the first two are promises, the third are suspicions."""

    RAW = "raw"
    MODELS = "models"
    SUSPICIONS = "suspicions"

    @property
    def is_promise(self) -> bool:
        """Whether it is an error where an expectation of this suite does not hold."""
        return self is not SuiteName.SUSPICIONS


@dataclass(frozen=True)
class Expectation:
    """One expectation of the rows of a subject.

    `kind` is a class of Great Expectations, `arguments` are its own. Texts in SQL are constants of
    these modules: no name and no value of a file is ever part of one. `needs` says what is lacking
    where there is nothing to look at.
    """

    name: str
    column: str | None
    kind: str
    arguments: Mapping[str, object]
    meaning: str
    advice: str = ""
    needs: str = ""

    @property
    def looks_at_rows(self) -> bool:
        """Whether it is SQL that selects unexpected rows, and not a rule about one column."""
        return self.kind == "UnexpectedRowsExpectation"

    @property
    def looks_at_one_value(self) -> bool:
        """Whether it is about one value, and not about each of many."""
        return self.kind == "ExpectColumnMinToBeBetween"


@dataclass(frozen=True)
class Subject:
    """A table or model, which of its columns name a row, and what is expected of it.

    `query` selects the rows of one collection, where that takes more than a comparison.
    """

    name: str
    identifiers: tuple[str, ...]
    expectations: tuple[Expectation, ...]
    query: str = ""
    by: str = "collection_id"

    @property
    def selection(self) -> str:
        """The rows of the collection at hand, told by a variable and not by text."""
        return self.query or (
            f"select * from {self.name} where {self.by} = getvariable('checked_{self.by}')"  # noqa: S608
        )


@dataclass(frozen=True)
class Suite:
    """A group of expectations."""

    name: SuiteName
    title: str
    subjects: tuple[Subject, ...] = field(repr=False)


def between(  # noqa: PLR0913 - each names a part of the rule
    column: str,
    lowest: float | None,
    highest: float | None,
    meaning: str = "",
    advice: str = "",
    *,
    name: str = "",
    mostly: float = 1.0,
) -> Expectation:
    """Expect numbers of a range; `mostly` is the share of the rows that must keep to it."""
    bounds = {"min_value": lowest, "max_value": highest, "mostly": mostly}
    return Expectation(
        name or f"{column}_in_range",
        column,
        "ExpectColumnValuesToBeBetween",
        bounds,
        meaning or f"{column} is {_range_in_words(lowest, highest)}",
        advice,
    )


def value_between(  # noqa: PLR0913 - each names a part of the rule
    column: str,
    lowest: float | None,
    highest: float | None,
    meaning: str,
    advice: str,
    *,
    name: str,
    needs: str,
) -> Expectation:
    """Expect the value of a subject with one row to be of a range; the value is what is seen."""
    bounds = {"min_value": lowest, "max_value": highest}
    return Expectation(name, column, "ExpectColumnMinToBeBetween", bounds, meaning, advice, needs)


def one_of(column: str, values: Sequence[object], meaning: str = "") -> Expectation:
    """Expect values of a vocabulary."""
    words = ", ".join(map(str, values))
    return Expectation(
        f"{column}_is_known",
        column,
        "ExpectColumnValuesToBeInSet",
        {"value_set": list(values)},
        meaning or f"{column} is one of {words}",
    )


def is_true(  # noqa: PLR0913 - each names a part of the rule
    column: str, meaning: str, advice: str, *, name: str, needs: str, mostly: float = 1.0
) -> Expectation:
    """Expect a boolean column to be true; `mostly` is the share of the rows where it must be."""
    rule = {"value_set": [True], "mostly": mostly}
    return Expectation(name, column, "ExpectColumnValuesToBeInSet", rule, meaning, advice, needs)


def holds(name: str, condition: str, identifiers: Sequence[str], meaning: str) -> Expectation:
    """Expect a condition of every row; one that is null does not hold."""
    query = (
        f"select {', '.join(identifiers)} from {{batch}} where ({condition}) is distinct from true"  # noqa: S608
    )
    arguments = {"unexpected_rows_query": query}
    return Expectation(name, None, "UnexpectedRowsExpectation", arguments, meaning)


def _range_in_words(lowest: float | None, highest: float | None) -> str:
    # Bounds are widened by float noise: people are told the plain ones.
    low, high = (None if bound is None else round(bound, 6) for bound in (lowest, highest))
    if high is None:
        return f"{low:g} or more"
    if low is None:
        return f"{high:g} or less"
    return f"from {low:g} to {high:g}"
