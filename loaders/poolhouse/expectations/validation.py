"""Validating rows by Great Expectations.

The import takes seconds, so this module is imported only when a check runs.
"""

import logging
import os
from collections.abc import Iterator, Sequence
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
        self._connection = connection
        # One batch definition for all suites, because adding one takes as long as a validation.
        asset = source.add_query_asset("rows", f"select * from {ROWS}")  # noqa: S608 - constant
        self._definition = asset.add_batch_definition("collections at hand")

    def validate(self, suite: Suite, keys: Sequence[str], most: int) -> Outcome:
        """Compare the rows in the temporary table with a suite.

        `keys` are the columns that name an unexpected row, and at most `most` are named for each
        expectation. Raise PoolhouseError where an expectation cannot be evaluated.
        """
        expectations = _suite_of(suite)
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
        # Great Expectations does not keep their order.
        results = {_name(each): each for each in outcome.results}
        of_each = [
            (each, bool(results[each.name].success), _result(suite, each, results[each.name]))
            for each in suite.expectations
        ]
        content: dict[str, Any] = outcome.to_json_dict()  # type: ignore[no-untyped-call]
        for written, result in zip(content["results"], outcome.results, strict=True):
            written["success"] = bool(result.success)  # may be numpy's, and become a text
        return Outcome(content, of_each)


def _suite_of(suite: Suite) -> gx.ExpectationSuite:
    try:
        made = gx.ExpectationSuite(**suite.content)
    except Exception as error:  # whatever Great Expectations makes of a user's file
        raise _refused(suite, error) from error
    # It leaves out what it does not know.
    known = {each.meta["name"] for each in made.expectations if each.meta}
    for each in suite.expectations:
        if each.name not in known:
            problem = f"it makes no expectation {each.name!r} of {each.configuration['type']!r}"
            raise _refused(suite, problem)
    return made


def _refused(suite: Suite, problem: object) -> PoolhouseError:
    words = " ".join(str(problem).split())
    return PoolhouseError(f"suite {suite.name}: Great Expectations refuses it: {words}")


def _name(result: ExpectationValidationResult) -> str:
    configuration: Any = result.expectation_config
    return str(configuration.meta["name"])


def _result(
    suite: Suite, expectation: Expectation, result: ExpectationValidationResult
) -> dict[str, Any]:
    """Return the details of a result. Stop where it raised, because it says nothing of the data."""
    messages = list(_messages(result.exception_info))
    if messages or result.success is None:
        problem = messages[0].strip().partition("\n")[0] if messages else "there is no result"
        raise PoolhouseError(
            f"expectation {expectation.name} of suite {suite.name} cannot be evaluated on "
            f"{suite.relation}: {problem}"
        )
    return dict(result.result)


def _messages(information: Any) -> Iterator[str]:  # noqa: ANN401 - flat, or one level deep by metric
    if not isinstance(information, dict):
        return
    if information.get("raised_exception"):
        yield str(information.get("exception_message") or "it raised an exception")
    for inner in information.values():
        yield from _messages(inner)
