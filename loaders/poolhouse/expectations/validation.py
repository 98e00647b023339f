"""Great Expectations over the figures of every subject: which collections break which expectation.

Importing it takes seconds: this module is imported where the work begins, and nowhere else.
"""

import json
import logging
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read when it is imported: nothing is reported

import duckdb_sqlalchemy
import great_expectations as gx
from great_expectations.core.expectation_validation_result import ExpectationValidationResult
from great_expectations.data_context.types.base import ProgressBarsConfig
from great_expectations.expectations.core.unexpected_rows_expectation import (
    UnexpectedRowsExpectation,
)
from sqlalchemy.dialects import registry
from sqlalchemy.pool import StaticPool

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

registry.register("duckdb.poolhouse", "poolhouse.expectations.dialect", "BufferedDialect")

_PLACE = "place"
_NOTHING = "nothing to look at"


@dataclass(frozen=True)
class Finding:
    """What came of one expectation of one collection.

    `success` is None where there was nothing to look at: neither kept nor broken. `sample` are some
    of the unexpected rows, as the columns that name them and the one that is unexpected.
    """

    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: Sample


class Validator:
    """Great Expectations on one confined connection, without network or output.

    It makes and removes an empty temporary folder at the start; the connection reaches no file.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        # It writes what raises into its logs as well, and these to standard error. One of them does
        # not follow the level of the others.
        for log in ("great_expectations", "great_expectations.data_context.types.base"):
            logging.getLogger(log).setLevel(logging.CRITICAL)
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = ProgressBarsConfig(globally=False)
        source = context.data_sources.add_sql(
            "warehouse",
            connection_string="duckdb+poolhouse://",
            create_temp_table=False,
            kwargs={  # type: ignore[call-arg] # its stub does not know them
                "creator": lambda: duckdb_sqlalchemy.ConnectionWrapper(connection),
                "poolclass": StaticPool,
            },
        )
        self._connection = connection
        # One for all subjects: to add one takes as long as to validate with it.
        asset = source.add_query_asset("figures", f"select * from {FIGURES}")  # noqa: S608 - constant
        self._definition = asset.add_batch_definition("collections at hand")

    def validate(self, subject: Subject) -> Iterator[tuple[int, Expectation, Finding]]:
        """Compare the collections at hand with what is expected of one subject.

        Yields the key of the collection, in no order; the expectations of each are in theirs.
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
        """Validate: of every expectation, in their order, the keys of collections that break it."""
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
    """Write the query of one row, or of none: Great Expectations hands on no more than 200."""
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
    """Stop at an expectation that raised: it says nothing about the data, neither way."""
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
    # a flag that is not set tells no more than that the row is here
    told = [{name: value for name, value in row.items() if value is not False} for row in sample]
    return Finding(
        not is_broken, f"{figure.n_unexpected} of {figure.n_values}", figure.n_unexpected, told
    )


def sample_as_text(sample: Iterable[dict[str, object]]) -> str:
    """Write a sample as JSON, which keeps apart what belongs to a name and what does not.

    JSON has no word for what is infinite or no number: that is null.
    """
    rows = [{column: _json_value(value) for column, value in row.items()} for row in sample]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, default=str)


def _json_value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
