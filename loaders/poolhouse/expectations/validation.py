"""Validating rows by Great Expectations.

The import takes seconds, so this module is imported only when a check runs.
"""

import logging
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb

os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read at the import, so that no usage is reported

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.importing import sparingly
from poolhouse.expectations.suites import ROWS, Expectation, Suite

with sparingly():
    import duckdb_sqlalchemy
    import great_expectations as gx
    from great_expectations.core.expectation_validation_result import ExpectationValidationResult
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.exceptions.exceptions import GreatExpectationsError
    from sqlalchemy.pool import StaticPool


class Outcome(NamedTuple):
    """A validation: Great Expectations' own result, and a part of it for each expectation.

    `of_each` has the parts in the order of the suite: whether the expectation holds, and what Great
    Expectations calls its result.
    """

    content: dict[str, Any]
    of_each: list[tuple[Expectation, bool, dict[str, Any]]]


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
            connection_string="duckdb://",
            create_temp_table=False,
            kwargs={  # type: ignore[call-arg] # the stub lacks these arguments
                "creator": lambda: duckdb_sqlalchemy.ConnectionWrapper(connection),
                "poolclass": StaticPool,
                # Great Expectations reads results after it returned the connection, which must not
                # end their transaction.
                "isolation_level": "AUTOCOMMIT",
                "skip_autocommit_rollback": True,
            },
        )
        # One batch definition for all suites, because adding one takes as long as a validation.
        asset = source.add_query_asset("rows", f"select * from {ROWS}")  # noqa: S608 - constant
        self._definition = asset.add_batch_definition("collections at hand")

    def validate(self, suite: Suite, keys: Sequence[str], most: int) -> Outcome:
        """Compare the rows in the temporary table with a suite.

        `keys` are the columns that name an unexpected row, and at most `most` are named for each
        expectation. Raise PoolhouseError where an expectation cannot be evaluated.
        """
        try:
            expectations = gx.ExpectationSuite(**suite.content)
        except Exception as error:  # whatever Great Expectations makes of a user's file
            raise _refused(suite, error) from error
        try:
            outcome = self._definition.get_batch().validate(
                expectations,
                result_format={
                    "result_format": "COMPLETE",
                    "partial_unexpected_count": most,
                    "unexpected_index_column_names": list(keys),
                    "return_unexpected_index_query": False,
                },
                expectation_parameters=suite.content.get("suite_parameters"),
            )
        except GreatExpectationsError as error:
            raise _refused(suite, error) from error
        content: dict[str, Any] = outcome.to_json_dict()  # type: ignore[no-untyped-call]
        results: dict[str, ExpectationValidationResult] = {}
        for written, result in zip(content["results"], outcome.results, strict=True):
            written["success"] = bool(result.success)  # may be numpy's, and become a text
            results[written["expectation_config"]["meta"]["name"]] = result
        # Great Expectations does not keep their order, and leaves out what it does not know.
        of_each = []
        for each in suite.expectations:
            if each.name not in results:
                kind = each.configuration["type"]
                raise _refused(suite, f"it makes no expectation {each.name!r} of {kind!r}")
            result = results[each.name]
            if problem := _problem_with(result):
                raise PoolhouseError(
                    f"expectation {each.name} of suite {suite.name} cannot be evaluated on "
                    f"{suite.relation}: {problem}"
                )
            of_each.append((each, bool(result.success), dict(result.result)))
        return Outcome(content, of_each)


def _refused(suite: Suite, problem: object) -> PoolhouseError:
    words = " ".join(str(problem).split())
    return PoolhouseError(f"suite {suite.name}: Great Expectations refuses it: {words}")


def _problem_with(result: ExpectationValidationResult) -> str:
    """Return why there is no result, which then says nothing of the data; empty if there is one."""
    raised: dict[str, Any] = result.exception_info or {}
    # Of the expectation, or of one of its metrics.
    for each in (raised, *raised.values()):
        if isinstance(each, dict) and each.get("raised_exception"):
            message = str(each.get("exception_message") or "it raised an exception")
            return message.strip().partition("\n")[0]
    return "there is no result" if result.success is None else ""
