"""Keeping pandas out of commands that do not need it.

DuckDB 1.5 imports pandas, if it is installed, when it binds the first value of a process, because
the value could be pandas' own. The import takes 1.5 CPU seconds, several times the rest of a quick
command. Great Expectations brings pandas along, so it is always installed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAME = "pandas"


@contextmanager
def without_pandas() -> Iterator[None]:
    """Make imports of pandas fail, as if it were not installed, unless it was imported before."""
    modules: dict[str, Any] = sys.modules
    modules.setdefault(_NAME, None)
    try:
        yield
    finally:
        allow_pandas()


def allow_pandas() -> None:
    """Let imports of pandas succeed from now on."""
    if sys.modules.get(_NAME, sys) is None:
        del sys.modules[_NAME]
