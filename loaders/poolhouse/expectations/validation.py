"""Great Expectations over the published warehouse: every expectation becomes SQL of the engine.

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

import duckdb_engine
import great_expectations as gx
import great_expectations.expectations as gxe
from great_expectations.core.batch_definition import BatchDefinition
from great_expectations.core.expectation_validation_result import ExpectationValidationResult
from great_expectations.data_context.types.base import ProgressBarsConfig
from sqlalchemy.dialects import registry
from sqlalchemy.pool import StaticPool

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.declaration import SAMPLE_SIZE, Expectation, Subject

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
    sample: tuple[dict[str, object], ...] = ()


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
        self._source = context.data_sources.add_sql(
            "warehouse",
            connection_string="duckdb+poolhouse://",
            create_temp_table=False,
            kwargs={  # type: ignore[call-arg] # its stub does not know them
                "creator": lambda: duckdb_engine.ConnectionWrapper(connection),
                "poolclass": StaticPool,
            },
        )
        self._definitions: dict[str, BatchDefinition[Any]] = {}

    def validate(self, subject: Subject) -> Iterator[tuple[Expectation, Finding]]:
        """Compare the collection at hand with what is expected of one subject.

        Errors: PoolhouseError where an expectation cannot be evaluated.
        """
        definition = self._definition(subject.selection)
        results = self._results(definition, subject, subject.expectations, "SUMMARY")
        with_rows = [
            expectation
            for expectation, result in zip(subject.expectations, results, strict=True)
            if expectation.looks_at_rows and not result.success
        ]
        rows = dict(
            zip(
                (expectation.name for expectation in with_rows),
                self._results(definition, subject, with_rows, "COMPLETE"),
                strict=True,
            )
        )
        for expectation, result in zip(subject.expectations, results, strict=True):
            yield expectation, _finding(expectation, rows.get(expectation.name, result))

    def _definition(self, query: str) -> BatchDefinition[Any]:
        if query not in self._definitions:
            asset = self._source.add_query_asset(f"asset {len(self._definitions)}", query)
            self._definitions[query] = asset.add_batch_definition("collection at hand")
        return self._definitions[query]

    def _results(
        self,
        definition: BatchDefinition[Any],
        subject: Subject,
        expectations: Iterable[Expectation],
        result_format: str,
    ) -> list[ExpectationValidationResult]:
        """Validate in the order of the expectations, which Great Expectations does not keep."""
        built = [
            getattr(gxe, each.kind)(
                **({"column": each.column} if each.column else {}),
                **each.arguments,
                meta={_PLACE: place},
            )
            for place, each in enumerate(expectations)
        ]
        if not built:
            return []
        outcome = definition.get_batch().validate(
            gx.ExpectationSuite(name=subject.name, expectations=built),
            result_format={
                "result_format": result_format,
                "partial_unexpected_count": SAMPLE_SIZE,
                "unexpected_index_column_names": list(subject.identifiers),
            },
        )
        results = sorted(outcome.results, key=_place)
        for each, result in zip(expectations, results, strict=True):
            _refuse_what_raised(subject, each, result)
        return results


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
        raise PoolhouseError(
            f"expectation {expectation.name} of {subject.name} cannot be evaluated: {problem}"
        )


def _messages(information: Any) -> Iterator[str]:  # noqa: ANN401 - flat, or one level deep by metric
    if not isinstance(information, dict):
        return
    if information.get("raised_exception"):
        yield str(information.get("exception_message") or "it raised an exception")
    for inner in information.values():
        yield from _messages(inner)


def _finding(expectation: Expectation, result: ExpectationValidationResult) -> Finding:
    figures = result.result
    if expectation.looks_at_rows:
        count = int(figures["observed_value"])
        rows = figures.get("details", {}).get("unexpected_rows", [])[:SAMPLE_SIZE]
        return Finding(bool(result.success), f"{count} rows", count, tuple(rows))
    if expectation.looks_at_one_value:
        value = figures["observed_value"]
        if value is None:
            return Finding(None, _NOTHING, None)
        return Finding(bool(result.success), f"{value:.4f}", 0 if result.success else 1)
    n_values = figures["element_count"] - figures["missing_count"]
    if n_values == 0:
        return Finding(None, _NOTHING, None)
    count = int(figures["unexpected_count"])
    sample = tuple(
        # a flag that is not set tells no more than that the row is here
        {column: value for column, value in row.items() if value is not False}
        for row in figures.get("partial_unexpected_index_list") or ()
    )
    return Finding(bool(result.success), f"{count} of {n_values}", count, sample)


def sample_as_text(sample: Iterable[dict[str, object]]) -> str:
    """Write a sample as JSON, which keeps apart what belongs to a name and what does not.

    JSON has no word for what is infinite or no number: that is null.
    """
    rows = [{column: _json_value(value) for column, value in row.items()} for row in sample]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, default=str)


def _json_value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
