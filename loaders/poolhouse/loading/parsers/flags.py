"""Fields that say yes or no."""

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile

_YES = {"true", "t", "yes", "y", "1"}
_NO = {"false", "f", "no", "n", "0"}


def as_flag(source: SourceFile, text: str | None, line: int, name: str) -> bool | None:
    """Return whether a field says yes; None for an empty field. Raise BadFileError."""
    word = (text or "").lower()
    if not word:
        return None
    if word in _YES | _NO:
        return word in _YES
    problem = f"{name} is {source.quoted(word)}, expected true or false"
    raise BadFileError(source.path, problem, line)
