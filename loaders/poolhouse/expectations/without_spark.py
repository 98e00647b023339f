"""Keeping Spark out of Great Expectations, which imports it wherever it is installed.

The import takes a second, warns about pandas, and ends the process where only the client of Spark
is installed and its tests' modules look for a whole Spark.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAME = "pyspark"


@contextmanager
def without_spark() -> Iterator[None]:
    """Make imports of Spark fail for the `with` block, as if it were not installed."""
    modules: dict[str, Any] = sys.modules
    hidden = {name: modules.pop(name) for name in [*modules] if name.split(".")[0] == _NAME}
    modules[_NAME] = None
    try:
        yield
    finally:
        del modules[_NAME]
        modules.update(hidden)
