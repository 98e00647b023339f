"""Looking at collections: their figures, the tests of dbt, and the rows of marts, by suites."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from poolhouse.building.at_hand import set_at_hand
from poolhouse.building.plan import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.building.staleness import CollectionState, State
from poolhouse.errors import PoolhouseError
from poolhouse.expectations.dbt_tests import results_of_tests
from poolhouse.expectations.figures import Figures, models_of, take_figures
from poolhouse.expectations.findings import found_in_figures, found_in_rows
from poolhouse.expectations.results import Result
from poolhouse.expectations.steps import Steps
from poolhouse.expectations.suites import ROWS, SAMPLE_SIZE, Suite, own_suites
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
    """Compare our suites with the figures of all collections, and a user's with each collection.

    Return the results in the order of collections and suites, and all validations. Raise
    PoolhouseError where a suite cannot be evaluated.
    """
    loaded = _names(states)
    current = _names(each for each in states if each.state is State.CURRENT)
    plan = plan_of(chosen_settings(connection))
    models = models_of(connection, plan)
    own = own_suites()
    of_users = [(suite, _mart(connection, suite)) for suite in suites]
    n_of_marts = len(models.of_marts) + 1 + len(of_users) * len(current) if current else 0
    steps.first("reading the expectations", len(models.of_files) + len(own) + n_of_marts)

    # The import takes seconds, so errors of the request are raised before.
    from poolhouse.expectations.validation import Validator  # noqa: PLC0415

    validator = Validator(connection)
    results: list[Result] = []
    validations: list[Validation] = []
    # A user's suites come first, because they may raise.
    for suite, mart in of_users:
        for key, name in current.items():
            with steps.step(f"suite {suite.name}, {name}"):
                _take_rows(connection, mart, {key: name})
                outcome = validator.validate(suite, _key_of(mart), SAMPLE_SIZE)
            outcome.content["meta"][COLLECTION] = name
            validations.append(outcome.content)
            results += _results_of_rows(suite, outcome, mart, name)
    figures = take_figures(connection, models, loaded, current, steps)
    for suite in own:
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
        problem = f"there is no {suite.relation}: write {mart.schema}.{mart.name}"
        raise PoolhouseError(f"suite {suite.name}: {problem}")
    if not mart.is_of_collections:
        problem = f"{suite.relation} has no column collection_id, so that no collection has rows"
        raise PoolhouseError(f"suite {suite.name}: {problem}")
    return mart


def _key_of(mart: Mart) -> list[str]:
    """Return the columns that name a row: its key, or every text where no test declares a key."""
    texts = [column.name for column in mart.columns if column.type == "VARCHAR"]
    return list(mart.key) or texts


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
        "where list_contains(getvariable('collection_ids_at_hand'), collection_id) "
        f"order by {', '.join(map(quoted_name, _key_of(mart)))}"
    )


def _results_of_rows(
    suite: Suite, outcome: "Outcome", mart: Mart, collection: str
) -> Iterator[Result]:
    subject = f"{mart.schema}.{mart.name}"
    for expectation, success, result in outcome.of_each:
        found = found_in_rows(expectation, success, result)
        yield Result(collection, suite.name, subject, *expectation.described, *found)
