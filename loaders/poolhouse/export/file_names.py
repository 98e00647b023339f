"""Names of files, made of ids with any characters."""

from hashlib import sha256
from urllib.parse import quote

_LONGEST = 150
_HEX_DIGITS = 16


def encoded(identifier: str) -> str:
    """Write an id as a part of a path, percent-encoded.

    Different ids have different names, and no name begins with a dot.
    """
    name = quote(identifier, safe="")
    return f"%2E{name[1:]}" if name.startswith(".") else name


def file_name_of(identifier: str) -> str:
    """Write an id as a part of a path, percent-encoded. A long name ends in the hash of the id."""
    name = encoded(identifier)
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}~{sha256(identifier.encode()).hexdigest()[:_HEX_DIGITS]}"
