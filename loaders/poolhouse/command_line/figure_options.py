"""The options of every command that draws a figure into a file: its title, width and font."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from poolhouse.figures.style import LEAST_WIDTH, MOST_WIDTH, PIXELS, Style

_LENGTH = re.compile(rf"(\d+(?:\.\d+)?) ?({'|'.join(PIXELS)})")


class Length(click.ParamType[float]):
    """A length with its unit, in pixels."""

    name = "LENGTH"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the pixels of a text such as 84mm. Fail as click does on any other text."""
        found = _LENGTH.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is not a length, such as 84mm, 3.33in or 240pt", param, ctx)
        pixels = float(found[1]) * PIXELS[found[2]]
        if not LEAST_WIDTH <= pixels <= MOST_WIDTH:
            self.fail(f"{value} is not between 80mm and 600mm", param, ctx)
        return pixels


def style_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --no-title, --width and --font, which become the argument `style`.

    A command whose option --figure is not given refuses them.
    """

    @click.option("--no-title", is_flag=True, help="Leave out the title of the figure.")
    @click.option(
        "--width",
        type=Length(),
        help="Width of the whole figure in mm, cm, in, pt or px, such as 84mm; letters keep their "
        "size.  [default: 140mm]",
    )
    @click.option(
        "--font",
        metavar="NAME",
        help="Font of the figure's letters, which this machine has.  [default: Liberation Sans]",
    )
    @wraps(command)
    def with_style(
        *arguments: object, no_title: bool, width: float | None, font: str | None, **options: object
    ) -> Any:  # noqa: ANN401 - what a command gives
        given = {"has_title": False if no_title else None, "width": width, "font": font}
        style = Style(**{name: each for name, each in given.items() if each is not None})  # type: ignore[arg-type]
        if style != Style() and options.get("figure", ...) is None:
            raise click.UsageError("--no-title, --width and --font need --figure FILE")
        return command(*arguments, style=style, **options)

    return with_style
