"""Figures of a subject: one row per collection, with counts of unexpected values, in one scan."""

from dataclasses import dataclass
from typing import Any

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.declaration import CHECKED, SAMPLE_SIZE, Expectation, Subject
from poolhouse.warehouse.file import first_line

# The temporary table of the figures of the checked collections.
FIGURES = "checked_figures"

# Unexpected rows of one collection, each as a dictionary of the columns that name it.
Sample = list[dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    """Counts of values or rows, and of unexpected ones, and a single value, if there is one.

    A figure belongs to one collection and expectation. `value` is None if the expectation is not
    about one value.
    """

    n_values: int
    n_unexpected: int
    value: float | None


def take_at_hand(connection: duckdb.DuckDBPyConnection, keys: dict[int, str]) -> None:
    """Put the collections of the queries into a table, so that a name is never SQL.

    `keys` are the names of collections by their keys.
    """
    connection.execute(
        f"""
        create or replace temp table {CHECKED} as
        select
            unnest($1::integer []) as checked_collection_key,
            unnest($2::varchar []) as checked_collection_id
        """,
        [list(keys), list(keys.values())],
    )


def take_figures(connection: duckdb.DuckDBPyConnection, subject: Subject) -> None:
    """Make the table of figures for a subject.

    Raise PoolhouseError that names an expectation which cannot be evaluated.
    """
    try:
        _take_figures(connection, subject, subject.expectations)
    except duckdb.Error:
        for expectation in subject.expectations:
            try:
                _take_figures(connection, subject, (expectation,))
            except duckdb.Error as error:
                raise cannot_be_evaluated(subject, expectation, first_line(error)) from error
        raise


def cannot_be_evaluated(subject: Subject, expectation: Expectation, problem: str) -> PoolhouseError:
    """Raise PoolhouseError that names an expectation which could not be evaluated."""
    return PoolhouseError(
        f"expectation {expectation.name} of {subject.name} cannot be evaluated: {problem}"
    )


def _take_figures(
    connection: duckdb.DuckDBPyConnection, subject: Subject, expectations: tuple[Expectation, ...]
) -> None:
    columns = [
        f"{function} as {name}_{place}"
        for place, each in enumerate(expectations)
        for name, function in (
            ("n_values", f"count({each.column or '*'})"),
            ("n_unexpected", f"count(*) filter (where {each.unexpected})"),
            ("seen", f"min({each.column})" if each.looks_at_one_value else "null"),
        )
    ]
    connection.execute(
        f"""
        create or replace temp table {FIGURES} as

        with found as (
            select checked_collection_key, {", ".join(columns)}
            from {_rows_at_hand(subject)}
            group by checked_collection_key
        )

        select *
        from {CHECKED}
        left join found using (checked_collection_key)
        """  # noqa: S608 - constants
    )


def read_figures(
    connection: duckdb.DuckDBPyConnection, subject: Subject
) -> dict[int, tuple[Figure, ...]]:
    """Read the table of figures: for each key of a collection, one figure per expectation."""
    rows = connection.execute(f"from {FIGURES}").fetchall()
    places = range(len(subject.expectations))
    return {
        key: tuple(_figure(*figures[3 * place : 3 * place + 3]) for place in places)
        for key, _, *figures in rows
    }


def _figure(n_values: int | None, n_unexpected: int | None, value: float | None) -> Figure:
    """Make a figure, or return None if a collection has no row."""
    return Figure(n_values or 0, n_unexpected or 0, value)


def failure(expectation: Expectation, place: int) -> str:
    """Write the condition, in SQL, of figures that break the expectation at this place."""
    share = f"(n_values_{place} - n_unexpected_{place}) / nullif(n_values_{place}, 0)"
    return f"{share} < {expectation.mostly!r}::double"


def samples(
    connection: duckdb.DuckDBPyConnection, subject: Subject, expectation: Expectation
) -> dict[int, Sample]:
    """Read the first unexpected rows of each collection, by its key."""
    columns = ", ".join(f'"{name}" := "{name}"' for name in subject.naming(expectation))
    rows = connection.execute(
        f"""
        select checked_collection_key, min(struct_pack({columns}), {SAMPLE_SIZE})
        from {_rows_at_hand(subject)}
        where {expectation.unexpected}
        group by checked_collection_key
        """  # noqa: S608 - constants
    ).fetchall()
    return dict(rows)


def _rows_at_hand(subject: Subject) -> str:
    return (
        f"{subject.rows} as subject_rows "
        f"inner join {CHECKED} on subject_rows.{subject.by} = checked_{subject.by}"
    )
