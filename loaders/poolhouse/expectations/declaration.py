"""The declaration of expectations: the subject, the expected values, and the reason."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from poolhouse.warehouse.sql_text import quoted_text

# Sums of floats differ in the last digits with the order of the terms.
FLOAT_NOISE = 1e-9

# Larger than every number that is counted or divided here. Without an upper bound a float may be
# infinite or NaN, which the engine sorts above all numbers.
FINITE = 1e18

# Rows of a sample, enough to see a common property.
SAMPLE_SIZE = 5


class SuiteName(StrEnum):
    """The three groups of expectations; the first two are promises, the third are suspicions."""

    RAW = "raw"
    MODELS = "models"
    SUSPICIONS = "suspicions"

    @property
    def is_promise(self) -> bool:
        """Whether an expectation of this suite that does not hold is an error."""
        return self is not SuiteName.SUSPICIONS


@dataclass(frozen=True)
class Range:
    """Numbers from `lowest` to `highest`, both included. None means no bound."""

    lowest: float | None
    highest: float | None

    def unexpected(self, column: str) -> str:
        """Write the condition of a value outside the range.

        A null is neither inside nor outside.
        """
        bounds = (("<", self.lowest), (">", self.highest))
        return " or ".join(
            f"{column} {sign} {_literal(bound)}" for sign, bound in bounds if bound is not None
        )

    def in_words(self) -> str:
        """Describe the range for people, without the tolerance for rounding errors of floats."""
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
        """Write the condition of a value outside the vocabulary.

        A null is neither inside nor outside.
        """
        return f"{column} not in ({', '.join(map(_literal, self.values))})"


@dataclass(frozen=True)
class Flag:
    """A boolean that is true."""

    def unexpected(self, column: str) -> str:
        """Write the condition of a false value. A null is neither."""
        return f"not {column}"


@dataclass(frozen=True)
class Condition:
    """A condition on whole rows. A condition that is null does not hold."""

    condition: str

    def unexpected(self, _column: str) -> str:
        """Write the condition of an unexpected row."""
        return f"({self.condition}) is distinct from true"


def _literal(value: float | str) -> str:
    """Write a constant of a suite in SQL.

    A float needs a cast, or the engine makes it a decimal.
    """
    if isinstance(value, str):
        return quoted_text(value)
    return f"{value!r}::double" if isinstance(value, float) else f"{value}"


@dataclass(frozen=True)
class Expectation:
    """One expectation of the rows of a subject.

    Texts in SQL are constants of these modules. No name and no value of a file is ever part of
    them. `column` is None for an expectation of whole rows. `named_by` are the columns that name an
    unexpected row; the default is the columns of the subject and `column`. `mostly` is the share of
    the values that must be as expected. `looks_at_one_value` means that the subject has one row per
    collection, and that the value itself is shown. `needs` says which data are missing if there are
    no rows.
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
        """Whether the expectation is about whole rows, none of which may be null."""
        return self.column is None

    @property
    def unexpected(self) -> str:
        """The condition, in SQL, of an unexpected row."""
        return self.rule.unexpected(self.column or "")


@dataclass(frozen=True)
class Subject:
    """A table or model, the columns that name its rows, and its expectations.

    `query` selects its rows, of all collections, if they are not simply a table. `by` is the column
    of the collection: `collection_id` or `collection_key`.
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
        """Return the columns that name an unexpected row, and the unexpected column."""
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
    """Expect numbers within a range; `mostly` is the share of the rows that must be inside."""
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
    """Expect the value of a subject with one row to be within a range; the value is shown."""
    rule = Range(lowest, highest)
    return Expectation(name, column, rule, meaning, advice, needs, looks_at_one_value=True)


def one_of(column: str, values: Sequence[str], meaning: str = "") -> Expectation:
    """Expect values from a vocabulary."""
    words = ", ".join(values)
    return Expectation(
        f"{column}_is_known", column, Words(values), meaning or f"{column} is one of {words}"
    )


def is_true(  # noqa: PLR0913 - each names a part of the rule
    column: str, meaning: str, advice: str, *, name: str, needs: str, mostly: float = 1.0
) -> Expectation:
    """Expect a boolean column to be true in the share `mostly` of the rows."""
    return Expectation(name, column, Flag(), meaning, advice, needs, mostly)


def holds(name: str, condition: str, identifiers: Sequence[str], meaning: str) -> Expectation:
    """Expect a condition of every row. A condition that is null does not hold."""
    return Expectation(name, None, Condition(condition), meaning, named_by=tuple(identifiers))
