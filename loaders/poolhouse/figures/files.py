"""Writing a figure into a file for print and papers: SVG, PDF or PNG, without a browser."""

import re
import textwrap
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import vl_convert

from poolhouse.errors import PoolhouseError
from poolhouse.figures.style import PIXELS, Style
from poolhouse.option_values import FIGURE_FORMATS
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole import (
    publish_bytes,
    refuse_place_of_warehouse,
    refuse_unwritable,
)

_PIXELS_AN_INCH = 300  # of a PNG
_LEAST_PLOT = 40  # pixels
# A second drawing meets the width where labels stay; a third one where a legend breaks otherwise.
_DRAWINGS = 3
_SIZE = re.compile(r'(<svg [^>]*?)width="([\d.]+)" height="([\d.]+)"')
# Mean widths of a bold letter of the title and of a letter of the subtitle, in pixels.
_TITLE_LETTER, _SUBTITLE_LETTER = 7.4, 6.2


def check_place(file: Path, warehouse: Warehouse) -> None:
    """Raise PoolhouseError where the file's name ends in no format, or it cannot be written."""
    refuse_place_of_warehouse(file, warehouse.path, "figure")
    if file.suffix.removeprefix(".").lower() not in FIGURE_FORMATS:
        formats = ", ".join(FIGURE_FORMATS)
        raise PoolhouseError(f"{file}: the end of the name must be a format: {formats}")
    if not file.absolute().parent.is_dir():
        raise PoolhouseError(f"{file}: cannot be written: no such folder")
    refuse_unwritable(file)


def write_figure(
    specification: dict[str, Any], title: str, collection: str, style: Style, file: Path
) -> None:
    """Draw a specification into a file, whose name selects the format.

    Raise PoolhouseError where the file cannot be written, or where the machine lacks the font.
    """
    format_ = file.suffix.removeprefix(".").lower()
    publish_bytes(file, drawn(specification, title, collection, style, format_))


def drawn(
    specification: dict[str, Any], title: str, collection: str, style: Style, format_: str = "svg"
) -> bytes:
    """Return the figure in one of option_values.FIGURE_FORMATS.

    SVG and PDF have the width of the style, and PNG has 300 pixels an inch of it. Raise
    PoolhouseError where the machine lacks the font.
    """
    styled = specification | {"background": "white"}
    if style.font is not None:
        _check_font(style.font)
        styled["config"] = {**specification["config"], "font": style.font}
    if style.has_title:
        styled["title"] = {
            "text": textwrap.wrap(title, int(style.width / _TITLE_LETTER)),
            "subtitle": textwrap.wrap(printable(collection), int(style.width / _SUBTITLE_LETTER)),
        }
    svg = _as_wide_as(styled, style.width)
    if format_ == "pdf":
        # vl-convert writes a pixel as a point.
        return bytes(vl_convert.svg_to_pdf(_scaled(svg, style.width / PIXELS["pt"])))
    svg = _scaled(svg, style.width)
    if format_ == "png":
        # vl-convert takes a pixel for a point, so that the figure would be too large.
        return bytes(vl_convert.svg_to_png(svg, scale=1 / PIXELS["pt"], ppi=_PIXELS_AN_INCH))
    return svg.encode()


def _as_wide_as(specification: dict[str, Any], width: float) -> str:
    """Draw a specification as SVG, whose plots take what the labels leave of the width."""
    facet = specification.get("spec")
    n_columns = specification.get("columns", 1) if facet else 1
    plot = width / n_columns
    svg = ""
    for _ in range(_DRAWINGS):
        sized = {"width": max(plot, _LEAST_PLOT)}
        whole = specification | ({"spec": facet | sized} if facet else sized)
        svg = vl_convert.vegalite_to_svg(whole)
        surplus = width - _size(svg)[0]
        if abs(surplus) <= 1 or plot < _LEAST_PLOT:
            break
        plot += surplus / n_columns
    return svg


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.match(svg)
    assert found is not None  # noqa: S101 - Vega's SVG begins with its size
    return float(found[2]), float(found[3])


def _scaled(svg: str, width: float) -> str:
    """Scale an SVG to a width: Vega rounds it to whole pixels."""
    drawn_width, height = _size(svg)
    size = f'width="{width:.2f}" height="{height * width / drawn_width:.2f}"'
    return _SIZE.sub(lambda found: found[1] + size, svg, count=1)


def _check_font(font: str) -> None:
    """Raise PoolhouseError for a font that is not on the machine: its letters would be missing."""
    letter = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
        f'<text y="15" font-family={quoteattr(font)}>a</text></svg>'
    )
    if b"/BaseFont" not in vl_convert.svg_to_pdf(letter):
        raise PoolhouseError(f"--font {printable(font)}: this machine has no such font")
