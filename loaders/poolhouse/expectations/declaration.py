"""How an expectation is written down: what is expected, of what, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from poolhouse.warehouse.sql_text import quoted_text

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
class Range:
    """Numbers from `lowest` to `highest`, both included; None is no bound."""

    lowest: float | None
    highest: float | None

    def unexpected(self, column: str) -> str:
        """Write the condition of a value outside of it; a null is neither in nor out."""
        bounds = (("<", self.lowest), (">", self.highest))
        return " or ".join(
            f"{column} {sign} {_literal(bound)}" for sign, bound in bounds if bound is not None
        )

    def in_words(self) -> str:
        """Say it to people, who are told plain bounds: these are widened by float noise."""
        low, high = (
            None if bound is None else round(bound, 6) for bound in (self.lowest, self.highest)
        )
        if high is None:
            return f"{low:g} or more"
        if low is None:
            return f"{high:g} or less"
        return f"from {low:g} to {high:g}"


@dataclass(frozen=True)
class Words:
    """Values of a vocabulary."""

    values: Sequence[str]

    def unexpected(self, column: str) -> str:
        """Write the condition of a value that is not in it; a null is neither in nor out."""
        return f"{column} not in ({', '.join(map(_literal, self.values))})"


@dataclass(frozen=True)
class Flag:
    """A boolean that is set."""

    def unexpected(self, column: str) -> str:
        """Write the condition of one that is not; a null is neither."""
        return f"not {column}"


@dataclass(frozen=True)
class Condition:
    """A condition of whole rows; one that is null does not hold."""

    condition: str

    def unexpected(self, _column: str) -> str:
        """Write the condition of a row that is not as expected."""
        return f"({self.condition}) is distinct from true"


def _literal(value: float | str) -> str:
    """Write a constant of a suite in SQL, a float as one: the engine would make a decimal of it."""
    if isinstance(value, str):
        return quoted_text(value)
    return f"{value!r}::double" if isinstance(value, float) else f"{value}"


@dataclass(frozen=True)
class Expectation:
    """One expectation of the rows of a subject.

    Texts in SQL are constants of these modules: no name and no value of a file is ever part of
    one. `column` is None where it is about whole rows; `named_by` are columns that name an
    unexpected row, where these are not the subject's and that column. `mostly` is the share of the
    values that must be as expected. `looks_at_one_value`: the subject has one row of a collection,
    and the value itself is what is seen. `needs` says what is lacking where there is nothing to
    look at.
    """

    name: str
    column: str | None
    rule: Range | Words | Flag | Condition
    meaning: str
    advice: str = ""
    needs: str = ""
    mostly: float = 1.0
    looks_at_one_value: bool = False
    named_by: tuple[str, ...] = ()

    @property
    def looks_at_rows(self) -> bool:
        """Whether it is about whole rows, of which none may be null, and not about one column."""
        return self.column is None

    @property
    def unexpected(self) -> str:
        """The condition, in SQL, of a row that is not as expected."""
        return self.rule.unexpected(self.column or "")


@dataclass(frozen=True)
class Subject:
    """A table or model, which of its columns name a row, and what is expected of it.

    `query` selects its rows, of all collections, where that is more than a table. `by` is the
    column that tells collections apart: `collection_id` or `collection_key`.
    """

    name: str
    identifiers: tuple[str, ...]
    expectations: tuple[Expectation, ...]
    query: str = ""
    by: str = "collection_id"

    @property
    def rows(self) -> str:
        """Its rows, of all collections, in SQL."""
        return f"({self.query})" if self.query else self.name

    def naming(self, expectation: Expectation) -> tuple[str, ...]:
        """Return the columns that name an unexpected row and what is unexpected about it."""
        if expectation.column is None:
            return expectation.named_by
        return tuple(dict.fromkeys((*self.identifiers, expectation.column)))


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
    rule = Range(lowest, highest)
    return Expectation(
        name or f"{column}_in_range",
        column,
        rule,
        meaning or f"{column} is {rule.in_words()}",
        advice,
        mostly=mostly,
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
    rule = Range(lowest, highest)
    return Expectation(name, column, rule, meaning, advice, needs, looks_at_one_value=True)


def one_of(column: str, values: Sequence[str], meaning: str = "") -> Expectation:
    """Expect values of a vocabulary."""
    words = ", ".join(values)
    return Expectation(
        f"{column}_is_known", column, Words(values), meaning or f"{column} is one of {words}"
    )


def is_true(  # noqa: PLR0913 - each names a part of the rule
    column: str, meaning: str, advice: str, *, name: str, needs: str, mostly: float = 1.0
) -> Expectation:
    """Expect a boolean column to be true; `mostly` is the share of the rows where it must be."""
    return Expectation(name, column, Flag(), meaning, advice, needs, mostly)


def holds(name: str, condition: str, identifiers: Sequence[str], meaning: str) -> Expectation:
    """Expect a condition of every row; one that is null does not hold."""
    return Expectation(name, None, Condition(condition), meaning, named_by=tuple(identifiers))
