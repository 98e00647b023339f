"""Build random collections for a module of tests: a few, or many where heavy tests run."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from collection_files import write_files
from poolhouse.building.build import build
from poolhouse.building.plan import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.expectations.dbt_tests import broken_tests
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from reference import Collection


def few_and_many(few: object, many: object) -> list[ParameterSet]:
    """Return both numbers of collections as parameters of a fixture."""
    return [pytest.param(few, id="few", marks=pytest.mark.few), *only_many(many)]


def only_many(many: object) -> list[ParameterSet]:
    """Return the number of collections as a parameter of a fixture whose tests are all heavy.

    Quicker tests have the subject: those of the macros, with rows by hand.
    """
    return [pytest.param(many, id="many", marks=pytest.mark.heavy)]


def load_together(warehouse: Warehouse, requests: Iterable[LoadRequest]) -> None:
    """Load in one change of the warehouse: a change of its own takes longer than a small load."""
    with warehouse.change(), warehouse.side() as connection:
        for request in requests:
            load_into(connection, request)


def load_and_build(
    collections: Iterable[Collection], warehouse: Warehouse, folder: Path
) -> Warehouse:
    """Write the files of each collection into the folder, load them, build, and test all views."""
    return with_tested_views(only_built(collections, warehouse, folder))


def only_built(collections: Iterable[Collection], warehouse: Warehouse, folder: Path) -> Warehouse:
    """Do the same but for the views, where another module tests those of such collections."""
    load_together(
        warehouse,
        (write_files(each, folder / str(number)) for number, each in enumerate(collections)),
    )
    assert build(warehouse).failed == ()
    return warehouse


def built_and_tested(warehouse: Warehouse) -> Warehouse:
    """Build all collections, and run the tests of views, which a build leaves out."""
    assert build(warehouse).failed == ()
    return with_tested_views(warehouse)


def with_tested_views(warehouse: Warehouse) -> Warehouse:
    with warehouse.read() as connection:
        query = "select collection_key, collection_id from raw.collections"
        collections = dict(connection.execute(query).fetchall())
        broken = broken_tests(connection, plan_of(chosen_settings(connection)), collections)
    assert {key: tests for key, tests in broken.items() if tests} == {}
    return warehouse


def kept_open(warehouse: Warehouse) -> Iterator[Warehouse]:
    """Yield a warehouse that stays open while tests read it: opening takes as long as a query."""
    with warehouse.read():
        yield warehouse
