"""The declaration of expectations: the subject, what is unexpected in it, and the reason."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import duckdb

# The temporary table of the checked collections.
CHECKED = "checked_collections"

# Sums of floats differ in the last digits with the order of the terms.
FLOAT_NOISE = 1e-9

# Larger than every number that is counted or divided here. Without an upper bound a float may be
# infinite or NaN, which the engine sorts above all numbers.
FINITE = 1e18

# Rows of a sample, enough to see a common property.
SAMPLE_SIZE = 5

# Makes the temporary tables that a subject reads, for the named collections by their keys.
Preparation = Callable[[duckdb.DuckDBPyConnection, Mapping[int, str]], None]


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
class Expectation:
    """One expectation of the rows of a subject.

    Texts in SQL are constants of these modules. No name and no value of a file is ever part of
    them. `column` is None for an expectation of whole rows. `unexpected` is the condition of an
    unexpected row. `meaning` says what is expected, and `advice` why, or what to do. `needs` says
    which data are missing if there are no rows. `mostly` is the share of the values that must be as
    expected. `looks_at_one_value` means that the subject has one row per collection, and that the
    value itself is shown. `named_by` are the columns that name an unexpected row; the default is
    the columns of the subject.
    """

    name: str
    column: str | None
    unexpected: str
    meaning: str
    advice: str
    needs: str = ""
    mostly: float = 1.0
    looks_at_one_value: bool = False
    named_by: tuple[str, ...] = ()

    @property
    def looks_at_rows(self) -> bool:
        """Whether the expectation is about whole rows, none of which may be null."""
        return self.column is None


@dataclass(frozen=True)
class Subject:
    """A table or model, the columns that name its rows, and its expectations.

    `query` selects its rows, of all collections, if they are not simply a table. `by` is the column
    of the collection: `collection_id` or `collection_key`. `prepare` comes first.
    """

    name: str
    identifiers: tuple[str, ...]
    expectations: tuple[Expectation, ...]
    query: str = ""
    by: str = "collection_id"
    prepare: Preparation | None = None

    @property
    def rows(self) -> str:
        """Its rows, of all collections, in SQL."""
        return f"({self.query})" if self.query else self.name

    def naming(self, expectation: Expectation) -> tuple[str, ...]:
        """Return the columns that name an unexpected row, and the unexpected column."""
        columns = (*(expectation.named_by or self.identifiers), expectation.column)
        return tuple(dict.fromkeys(filter(None, columns)))


@dataclass(frozen=True)
class Suite:
    """A group of expectations."""

    name: SuiteName
    subjects: tuple[Subject, ...] = field(repr=False)


def between(  # noqa: PLR0913 - each names a part of the rule
    column: str,
    lowest: float | None,
    highest: float | None,
    meaning: str,
    advice: str,
    *,
    name: str,
    needs: str = "",
    looks_at_one_value: bool = False,
) -> Expectation:
    """Expect numbers from `lowest` to `highest`, both included. None means no bound.

    A null is neither inside nor outside.
    """
    bounds = (("<", lowest), (">", highest))
    # A float needs the cast, or the engine makes it a decimal.
    unexpected = " or ".join(
        f"{column} {sign} {bound}::double" for sign, bound in bounds if bound is not None
    )
    return Expectation(
        name, column, unexpected, meaning, advice, needs, looks_at_one_value=looks_at_one_value
    )


def is_true(  # noqa: PLR0913 - each names a part of the rule
    column: str,
    meaning: str,
    advice: str,
    *,
    name: str,
    needs: str,
    mostly: float = 1.0,
    named_by: Sequence[str] = (),
) -> Expectation:
    """Expect a boolean column to be true in the share `mostly` of the rows. A null is neither."""
    unexpected = f"not {column}"
    return Expectation(
        name, column, unexpected, meaning, advice, needs, mostly, named_by=tuple(named_by)
    )


def holds(
    name: str, condition: str, identifiers: Sequence[str], meaning: str, advice: str
) -> Expectation:
    """Expect a condition of every row. A condition that is null does not hold."""
    unexpected = f"({condition}) is distinct from true"
    return Expectation(name, None, unexpected, meaning, advice, named_by=tuple(identifiers))
