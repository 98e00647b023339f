"""Names of files, made of ids with any characters."""

from hashlib import sha256
from urllib.parse import quote

_LONGEST = 150
_HEX_DIGITS = 16


def file_name_of(identifier: str) -> str:
    """Write an id as a part of a path, percent-encoded. A long name ends in the hash of the id.

    Different ids have different names, and no name begins with a dot.
    """
    name = quote(identifier, safe="")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}~{sha256(identifier.encode()).hexdigest()[:_HEX_DIGITS]}"
