"""Looking at collections: their figures, the tests of dbt, and the rows of marts, by suites."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from poolhouse.building.at_hand import set_at_hand
from poolhouse.building.plan import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.building.staleness import CollectionState, State
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.expectations.dbt_tests import results_of_tests
from poolhouse.expectations.figures import Figures, models_of, take_figures
from poolhouse.expectations.findings import found_in_figures, found_in_rows
from poolhouse.expectations.results import Result
from poolhouse.expectations.steps import Steps
from poolhouse.expectations.suites import ROWS, SAMPLE_SIZE, Suite
from poolhouse.export.marts import COLLECTION, Mart, marts_of
from poolhouse.warehouse.sql_text import quoted_name

if TYPE_CHECKING:
    from poolhouse.expectations.validation import Outcome

# The columns that name a figure within the rows of an expectation.
_KEY_OF_FIGURES = (COLLECTION, "object")

# A validation as Great Expectations writes it.
Validation = dict[str, Any]


def look(
    connection: duckdb.DuckDBPyConnection,
    states: Sequence[CollectionState],
    suites: Sequence[Suite],
    steps: Steps,
) -> tuple[list[Result], list[Validation]]:
    """Compare every suite with its collections, all collections at once where figures allow it.

    Return the results in the order of collections and suites, and all validations. Raise
    PoolhouseError where a suite cannot be evaluated.
    """
    loaded = _names(states)
    current = _names(each for each in states if each.state is State.CURRENT)
    plan = plan_of(chosen_settings(connection))
    models = models_of(connection, plan)
    of_figures = [suite for suite in suites if suite.is_of_figures]
    of_rows = [
        (suite, _mart(connection, suite)) for suite in suites if current and not suite.is_of_figures
    ]
    for suite in of_figures:
        _check_figures(suite, models.subjects)
    n_of_marts = len(models.of_marts) + 1 + len(of_rows) * len(current) if current else 0
    steps.first("reading the expectations", len(models.of_files) + len(of_figures) + n_of_marts)

    # The import takes seconds, so errors of the request are raised before.
    from poolhouse.expectations.validation import Validator  # noqa: PLC0415

    validator = Validator(connection)
    results: list[Result] = []
    validations: list[Validation] = []
    # A user's suites come first, because they may raise.
    for suite, mart in of_rows:
        for key, name in current.items():
            with steps.step(f"suite {suite.name}, {name}"):
                _take_rows(connection, mart, {key: name})
                outcome = validator.validate(suite, mart.key, SAMPLE_SIZE)
            outcome.content["meta"][COLLECTION] = name
            validations.append(outcome.content)
            results += _results_of_rows(suite, outcome, mart, name)
    figures = take_figures(connection, models, loaded, current, steps)
    for suite in of_figures:
        with steps.step(f"suite {suite.name}"):
            outcome = validator.validate(suite, _KEY_OF_FIGURES, figures.n_rows)
        validations.append(outcome.content)
        results += _results_of_figures(suite, outcome, figures)
    if current:
        with steps.step("tests of views"):
            results += results_of_tests(connection, plan, current)
    order = {name: place for place, name in enumerate(loaded.values())}
    return sorted(results, key=lambda each: order[each.collection_id]), validations


def _names(states: Iterable[CollectionState]) -> dict[int, str]:
    return {each.collection_key: each.collection_id for each in states}


def _mart(connection: duckdb.DuckDBPyConnection, suite: Suite) -> Mart:
    """Find the mart that a suite is about."""
    schema, _, name = suite.relation.rpartition(".")
    try:
        [mart], _ = marts_of(connection, [name])
    except PoolhouseError as error:
        raise PoolhouseError(f"suite {suite.name}: {error}") from None
    if schema not in ("", mart.schema):
        problem = f"{suite.relation} is {mart.schema}.{mart.name}"
        raise PoolhouseError(f"suite {suite.name}: {problem}")
    if not mart.is_of_collections:
        problem = f"{suite.relation} has no column collection_id, so that no collection has rows"
        raise PoolhouseError(f"suite {suite.name}: {problem}")
    return mart


def _check_figures(suite: Suite, known: Collection[str]) -> None:
    """Raise an error where an expectation is about no figure, so that it is about no collection."""
    for each in suite.expectations:
        if each.figure not in known:
            raise PoolhouseError(
                f"suite {suite.name}: expectation {each.name} needs a row_condition that names a "
                "figure of seeds.quality_figures, as our own suites have (check --write-suites)"
                f"{did_you_mean(each.figure or '', known)}"
            )


def _results_of_figures(suite: Suite, outcome: "Outcome", figures: Figures) -> Iterator[Result]:
    for expectation, _, result in outcome.of_each:
        broken: dict[str, set[str | None]] = {}
        for row in result.get("unexpected_index_list") or ():
            broken.setdefault(row[COLLECTION], set()).add(row["object"])
        figure = str(expectation.figure)
        for collection, rows in figures.of(figure):
            found = found_in_figures(expectation, rows, broken.get(collection, ()))
            subject = figures.subjects[figure]
            yield Result(collection, suite.name, subject, *expectation.described, *found)


def _take_rows(
    connection: duckdb.DuckDBPyConnection, mart: Mart, collection: Mapping[int, str]
) -> None:
    """Fill the table of rows that are validated with the rows of a collection."""
    set_at_hand(connection, collection)
    relation = f"{quoted_name(mart.schema)}.{quoted_name(mart.name)}"
    connection.execute(
        f"create or replace temp table {ROWS} as from {relation} "
        "where list_contains(getvariable('collection_ids_at_hand'), collection_id)"
    )


def _results_of_rows(
    suite: Suite, outcome: "Outcome", mart: Mart, collection: str
) -> Iterator[Result]:
    subject = f"{mart.schema}.{mart.name}"
    for expectation, success, result in outcome.of_each:
        found = found_in_rows(expectation, success, result)
        yield Result(collection, suite.name, subject, *expectation.described, *found)
