"""Poolhouse: a SQL warehouse for evaluation campaigns in information retrieval.

`poolhouse.open("w.duckdb")` opens a warehouse for Python (docs/python.md). Importing the package is
fast, because each name imports its modules when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poolhouse.api.warehouse import OpenWarehouse as OpenWarehouse
    from poolhouse.api.warehouse import open_warehouse as open
    from poolhouse.errors import PoolhouseError as PoolhouseError
    from poolhouse.errors import PoolhouseWarning as PoolhouseWarning

__version__ = "0.1.0"

__all__ = ["OpenWarehouse", "PoolhouseError", "PoolhouseWarning", "open"]

_WHERE = {
    "OpenWarehouse": ("poolhouse.api.warehouse", "OpenWarehouse"),
    "open": ("poolhouse.api.warehouse", "open_warehouse"),
    "PoolhouseError": ("poolhouse.errors", "PoolhouseError"),
    "PoolhouseWarning": ("poolhouse.errors", "PoolhouseWarning"),
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'poolhouse' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as said above

    module, attribute = _WHERE[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
