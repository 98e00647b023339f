"""Validating the figures of every subject by Great Expectations.

The import takes seconds, so this module is imported only when a check runs.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read at the import, so that no usage is reported

from poolhouse.expectations.declaration import Expectation, Subject
from poolhouse.expectations.figures import (
    FIGURES,
    Figure,
    Sample,
    cannot_be_evaluated,
    failure,
    read_figures,
    samples,
    take_figures,
)
from poolhouse.expectations.importing import sparingly

with sparingly():
    import duckdb_sqlalchemy
    import great_expectations as gx
    from great_expectations.core.expectation_validation_result import ExpectationValidationResult
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.expectations.core.unexpected_rows_expectation import (
        UnexpectedRowsExpectation,
    )
    from sqlalchemy.dialects import registry
    from sqlalchemy.engine.cursor import FullyBufferedCursorFetchStrategy
    from sqlalchemy.pool import StaticPool

registry.register("duckdb.poolhouse", __name__, "BufferedDialect")

_PLACE = "place"
_NOTHING = "nothing to look at"


class _BufferedContext(duckdb_sqlalchemy.Dialect.execution_ctx_cls):  # type: ignore[valid-type,misc]
    """Fetches every result at once, because Great Expectations first returns the connection."""

    def post_exec(self) -> None:
        super().post_exec()
        if self.cursor.description:
            self.cursor_fetch_strategy = FullyBufferedCursorFetchStrategy(
                self.cursor, initial_buffer=self.cursor.fetchall()
            )


class BufferedDialect(duckdb_sqlalchemy.Dialect):
    """duckdb-sqlalchemy's dialect, with results that outlive their connection."""

    execution_ctx_cls = _BufferedContext
    supports_statement_cache = False


@dataclass(frozen=True)
class Finding:
    """The outcome of one expectation of one collection.

    `success` is None if there were no values, so that the expectation is neither kept nor broken.
    `sample` has some unexpected rows, with the columns that name them and the unexpected column.
    """

    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: Sample


class Validator:
    """Great Expectations on one restricted connection, without network or output.

    It creates and removes an empty temporary folder at the start. The connection reaches no file.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        # Great Expectations also logs exceptions to standard error. One of its loggers does not
        # follow the level of the others.
        for log in ("great_expectations", "great_expectations.data_context.types.base"):
            logging.getLogger(log).setLevel(logging.CRITICAL)
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = ProgressBarsConfig(globally=False)
        source = context.data_sources.add_sql(
            "warehouse",
            connection_string="duckdb+poolhouse://",
            create_temp_table=False,
            kwargs={  # type: ignore[call-arg] # the stub lacks these arguments
                "creator": lambda: duckdb_sqlalchemy.ConnectionWrapper(connection),
                "poolclass": StaticPool,
            },
        )
        self._connection = connection
        # One batch definition for all subjects, because adding one takes as long as a validation.
        asset = source.add_query_asset("figures", f"select * from {FIGURES}")  # noqa: S608 - constant
        self._definition = asset.add_batch_definition("collections at hand")

    def validate(self, subject: Subject) -> Iterator[tuple[int, Expectation, Finding]]:
        """Compare the checked collections with the expectations of one subject.

        Yield collections in no fixed order, and the expectations of each collection in their order.
        Raise PoolhouseError where an expectation cannot be evaluated.
        """
        take_figures(self._connection, subject)
        figures = read_figures(self._connection, subject)
        for place, (expectation, broken_by) in enumerate(self._broken(subject)):
            of_it = {key: each[place] for key, each in figures.items()}
            has_sample = not expectation.looks_at_one_value and any(
                figure.n_unexpected for figure in of_it.values()
            )
            sampled = samples(self._connection, subject, expectation) if has_sample else {}
            for key, figure in of_it.items():
                finding = _finding(expectation, figure, key in broken_by, sampled.get(key, []))
                yield key, expectation, finding

    def _broken(self, subject: Subject) -> Iterator[tuple[Expectation, set[int]]]:
        """Validate, and return for each expectation the keys of collections that break it."""
        outcome = self._definition.get_batch().validate(
            gx.ExpectationSuite(
                name=subject.name,
                expectations=[
                    UnexpectedRowsExpectation(
                        unexpected_rows_query=_keys_of_failures(each, place), meta={_PLACE: place}
                    )
                    for place, each in enumerate(subject.expectations)
                ],
            ),
            result_format={"result_format": "COMPLETE"},
        )
        # Great Expectations does not keep their order.
        results = sorted(outcome.results, key=_place)
        for expectation, result in zip(subject.expectations, results, strict=True):
            _refuse_what_raised(subject, expectation, result)
            rows = result.result["details"]["unexpected_rows"]
            yield expectation, {key for row in rows for key in row["collection_keys"]}


def _keys_of_failures(expectation: Expectation, place: int) -> str:
    """Write the query of one row or none; Great Expectations returns at most 200 rows."""
    return (
        "select list(checked_collection_key) as collection_keys from {batch} "  # noqa: S608 - constants
        f"where {failure(expectation, place)} having count(*) > 0"
    )


def _place(result: ExpectationValidationResult) -> int:
    configuration: Any = result.expectation_config
    return int(configuration.meta[_PLACE])


def _refuse_what_raised(
    subject: Subject, expectation: Expectation, result: ExpectationValidationResult
) -> None:
    """Stop at an expectation that raised, because it says nothing about the data."""
    messages = list(_messages(result.exception_info))
    if messages or not result.result:
        problem = messages[0].strip().partition("\n")[0] if messages else "there is no result"
        raise cannot_be_evaluated(subject, expectation, problem)


def _messages(information: Any) -> Iterator[str]:  # noqa: ANN401 - flat, or one level deep by metric
    if not isinstance(information, dict):
        return
    if information.get("raised_exception"):
        yield str(information.get("exception_message") or "it raised an exception")
    for inner in information.values():
        yield from _messages(inner)


def _finding(expectation: Expectation, figure: Figure, is_broken: bool, sample: Sample) -> Finding:
    if expectation.looks_at_rows:
        rows = f"{figure.n_unexpected} rows"
        return Finding(not is_broken, rows, figure.n_unexpected, sample)
    if figure.n_values == 0:
        return Finding(None, _NOTHING, None, [])
    if figure.value is not None:
        return Finding(not is_broken, f"{figure.value:.4f}", int(is_broken), [])
    # a false flag adds nothing to the fact that the row is here
    told = [{name: value for name, value in row.items() if value is not False} for row in sample]
    return Finding(
        not is_broken, f"{figure.n_unexpected} of {figure.n_values}", figure.n_unexpected, told
    )
