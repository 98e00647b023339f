"""Fields that hold a whole number within bounds."""

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.option_values import LARGEST_DECLARED


def whole_number(
    source: SourceFile, line: int, field: tuple[str, str | None], expected: str, least: int = 1
) -> int | None:
    """Return the number of a field, from `least` to LARGEST_DECLARED; None for an empty field.

    `field` is its name and its text, and `expected` says what it holds. Raise BadFileError for any
    other text.
    """
    name, text = field
    if not text:
        return None
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_DECLARED))
    if is_number and least <= int(text) <= LARGEST_DECLARED:
        return int(text)
    problem = f"{name} is {source.quoted(text)}, expected {expected}"
    raise BadFileError(source.path, problem, line)
