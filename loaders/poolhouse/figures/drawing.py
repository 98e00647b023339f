"""Drawing a figure into a file, for print and papers, without a browser."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from poolhouse.building.staleness import check_built, check_current
from poolhouse.errors import PoolhouseError
from poolhouse.figures.catalogue import FIGURES
from poolhouse.figures.figure import Figure
from poolhouse.figures.measures import measures_of, shown_first
from poolhouse.option_values import FIGURE_FORMATS
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole_files import publish_bytes, refuse_place_of_warehouse

_WIDTH = 480  # pixels; a column of text is about as wide


def check_place(file: Path, warehouse: Warehouse) -> None:
    """Raise PoolhouseError where the file's name ends in no format, or it cannot be written."""
    refuse_place_of_warehouse(file, warehouse, "figure")
    if file.suffix.removeprefix(".").lower() not in FIGURE_FORMATS:
        formats = ", ".join(FIGURE_FORMATS)
        raise PoolhouseError(f"{file}: the end of the name must be a format: {formats}")
    if not file.absolute().parent.is_dir():
        raise PoolhouseError(f"{file}: cannot be written: no such folder")


@dataclass(frozen=True)
class FigureRequest:
    """A figure of a collection, with `measure` and `values` if the figure has a choice.

    `values` are the parameters of the figure, by their names.
    """

    name: str
    collection: str
    measure: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


def draw_figure(warehouse: Warehouse, request: FigureRequest, file: Path) -> str:
    """Draw a figure of a collection into a file, whose name selects the format.

    Return how to read the figure.

    Raise UnknownCollectionError or NotJudgedError. Raise PoolhouseError where the marts of the
    collection are not current, where the figure has no rows, or no rows of the measure, where the
    file cannot be written, or where vl-convert is not installed.
    """
    check_place(file, warehouse)
    figure = FIGURES[request.name]
    with warehouse.read() as connection:
        check = check_built if figure.needs_judgements else check_current
        check(connection, request.collection)
        rows = figure.ask(warehouse, request.collection, request.values)
    if rows.is_empty():
        raise PoolhouseError(
            f"{request.name} of {request.collection!r} would be empty: {figure.is_empty_where}"
        )
    rows, title = _by_measure(figure, rows, request.measure)
    specification = figure.specification(
        rows, width=_WIDTH, title={"text": title, "subtitle": printable(request.collection)}
    )
    publish_bytes(file, _drawn(specification, file.suffix.removeprefix(".").lower()))
    return figure.explained(rows)


def _by_measure(
    figure: Figure, rows: pl.DataFrame, measure: str | None
) -> tuple[pl.DataFrame, str]:
    """Return the rows of the measure that the file shows, and a title that names it."""
    if not figure.has_choice_of_measure:
        if measure is not None:
            raise PoolhouseError(f"{figure.name} has no choice of a measure")
        return rows, figure.title
    measures = measures_of(rows)
    chosen = measure or shown_first(rows)
    if chosen not in measures:
        known = ", ".join(measures)
        raise PoolhouseError(f"{figure.name} has no {chosen!r}: it has {known}")
    return rows.filter(measure=chosen), f"{figure.title}, {chosen}"


def _drawn(specification: dict[str, object], format_: str) -> bytes:
    try:
        import vl_convert  # noqa: PLC0415 - large, and the pages need it not
    except ImportError as error:
        raise PoolhouseError(
            "figures in files are drawn by vl-convert: pip install 'poolhouse[figures]'"
        ) from error
    if format_ == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    if format_ == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    on_white = specification | {"background": "white"}
    return bytes(vl_convert.vegalite_to_png(on_white, scale=2))
