"""Pages: HTML in which every name is escaped, and nothing of it is obeyed by a browser."""

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from poolhouse.output.printable import printable


def environment(*packages: str) -> Environment:
    """Return the environment of the templates that lie in these packages, and in this one."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(each, "") for each in ("poolhouse.output", *packages)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """Replace control and format characters of names, which HTML forbids or browsers obey."""
    is_markup = hasattr(value, "__html__")  # what the template itself made, line breaks and all
    return printable(value) if isinstance(value, str) and not is_markup else value
