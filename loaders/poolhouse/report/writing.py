"""Writing a report: the contents of each collection, one after the other, as one page."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from poolhouse.errors import PoolhouseError
from poolhouse.report.contents import Row, collections_of, contents_of
from poolhouse.report.page import render
from poolhouse.report.vega import script
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole_files import publish, refuse_place_of_warehouse, refuse_unwritable

Progress = Callable[[str, int, int], None]


def write_report(
    warehouse: Warehouse,
    file: Path,
    collections: Sequence[str] = (),
    compared: tuple[str, str] | None = None,
    progress: Progress = lambda _name, _done, _total: None,
) -> list[Row]:
    """Write the report of these collections, or of all; return a row of facts for each.

    `compared` are two runs of the only requested collection. The file is complete or is not
    written, and shows one state of the warehouse. Raise UnknownCollectionError,
    WarehouseMissingError, NotJudgedError where runs without scores are to be compared, and
    PoolhouseError where the file cannot be written or a run is not in the collection.
    """
    refuse_place_of_warehouse(file, warehouse, "report")
    refuse_unwritable(file)
    parts = []
    with warehouse.read():  # stays open for all queries: opening takes as long as ten of them
        overview = collections_of(warehouse, collections)
        if compared and len(overview) != 1:
            raise PoolhouseError("two runs are compared within one collection: name it")
        for done, facts in enumerate(overview):
            progress(facts["collection_id"], done, len(overview))
            parts.append(contents_of(warehouse, facts, compared))
    progress("writing the page", len(overview), len(overview))
    made_at = datetime.now(UTC).replace(tzinfo=None)
    publish(file, render(warehouse.path.name, made_at, overview, parts, script()))
    return overview
