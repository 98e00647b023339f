"""What the author of a paper chooses about a figure: its title, its width and its font."""

from dataclasses import dataclass

_A_MILLIMETRE = 96 / 25.4  # pixels, as CSS defines both
PIXELS = {
    "mm": _A_MILLIMETRE,
    "cm": 10 * _A_MILLIMETRE,
    "in": 96.0,
    "pt": 96 / 72,
    "px": 1.0,
}
LEAST_WIDTH, MOST_WIDTH = 80 * _A_MILLIMETRE, 600 * _A_MILLIMETRE


@dataclass(frozen=True)
class Style:
    """The style of a figure in a file.

    `width` is that of the whole figure with its labels, in pixels of 1/96 inch. Without a font,
    the figure has the sans serif of vl-convert, which is Liberation Sans.
    """

    has_title: bool = True
    width: float = 140 * _A_MILLIMETRE
    font: str | None = None


DEFAULT_STYLE = Style()
