"""Writing a report: one page of all collections, or an overview and a page for each of many."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from poolhouse.errors import PoolhouseError
from poolhouse.export.whole_targets import MARK, readme, whole_target
from poolhouse.progress import Progress, no_progress
from poolhouse.report.contents import CollectionContents, Row, collections_of, contents_of
from poolhouse.report.page import MOST_COLLECTIONS, Renderer
from poolhouse.report.rows import Rows
from poolhouse.report.vega import script
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole import publish, refuse_place_of_warehouse, refuse_unwritable

# Collections whose rows are in memory together.
_AT_ONCE = 200
_LETTERS_OF_NAME = 60
# The script that draws the figures, once for all pages in a folder.
_VEGA = "vega.js"


@dataclass(frozen=True)
class Report:
    """A row of facts for each collection, and the folder of their pages if they have some.

    `figures` are the names of the figures that a collection has rows for.
    """

    overview: list[Row]
    pages: Path | None
    figures: dict[str, list[str]]


def write_report(
    warehouse: Warehouse,
    file: Path,
    collections: Sequence[str] = (),
    compared: tuple[str, str] | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Write the report of these collections, or of all.

    `compared` are two runs of the only requested collection. The file is complete or is not
    written, and shows one state of the warehouse. Many collections have pages of their own in a
    folder beside the file, which is replaced as a whole, before the file. Raise
    UnknownCollectionError, WarehouseMissingError, NotJudgedError where runs without scores are to
    be compared, and PoolhouseError where the file or the folder cannot be written or a run is not
    in the collection.
    """
    pages = file.with_name(f"{file.stem}-collections")
    for place in (file, pages):
        refuse_place_of_warehouse(place, warehouse.path, "report")
    refuse_unwritable(file)
    made_at = datetime.now(UTC).replace(tzinfo=None)
    page = Renderer(warehouse.path.name, made_at)
    with warehouse.read():  # stays open for all queries: opening takes as long as ten of them
        rows = Rows(warehouse)
        overview = collections_of(warehouse, rows, collections)
        report = Report(overview, None, {})
        if compared and len(overview) != 1:
            raise PoolhouseError("two runs are compared within one collection: name it")
        if len(overview) <= MOST_COLLECTIONS:
            contents = contents_of(warehouse, rows, overview, compared)
            parts = list(_told(contents, report, progress))
            progress("writing the page", len(overview), len(overview))
            publish(file, page.of_all(overview, parts, script()))
            return report
        names = _names_of_pages(overview)
        with whole_target(pages, is_folder=True, may_replace=True) as folder:
            (folder / MARK).write_text(readme(f"The pages of the report {file.name}."))
            (folder / _VEGA).write_text(script(), encoding="utf-8")
            contents = _in_turn(warehouse, rows, overview)
            for name, part in zip(names, _told(contents, report, progress), strict=True):
                text = page.of_one(part, home=f"../{quote(file.name)}", vega=_VEGA)
                (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    publish(file, page.of_many(overview, [quote(f"{pages.name}/{name}") for name in names]))
    return replace(report, pages=pages)


def _in_turn(
    warehouse: Warehouse, rows: Rows, overview: Sequence[Row]
) -> Iterator[CollectionContents]:
    for first in range(0, len(overview), _AT_ONCE):
        some = overview[first : first + _AT_ONCE]
        yield from contents_of(warehouse, rows, some, are_tested=False)


def _told(
    contents: Iterator[CollectionContents], report: Report, progress: Progress
) -> Iterator[CollectionContents]:
    """Say which collection is next, and note which figures it has."""
    for done, facts in enumerate(report.overview):
        name = facts["collection_id"]
        progress(name, done, len(report.overview))
        of_one = next(contents)
        report.figures[name] = of_one.names_of_figures
        yield of_one


def _names_of_pages(overview: Sequence[Row]) -> list[str]:
    """Name the file of each collection: its number, and the letters of its name."""
    width = len(str(len(overview)))
    names = (re.sub(r"[^\w.-]+", "-", row["collection_id"]) for row in overview)
    return [
        f"{number:0{width}}-{name[:_LETTERS_OF_NAME]}.html"
        for number, name in enumerate(names, start=1)
    ]
