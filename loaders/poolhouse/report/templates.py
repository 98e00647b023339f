"""Templates of the page: every name is escaped, and a browser obeys no part of a name."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from poolhouse.output.printable import printable


@cache
def environment() -> Environment:
    """Return the environment of the templates of the report."""
    return Environment(
        loader=PackageLoader("poolhouse.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """Replace control and format characters of names, which HTML forbids or browsers obey."""
    is_markup = hasattr(value, "__html__")  # written by the template itself, with its line breaks
    return printable(value) if isinstance(value, str) and not is_markup else value
