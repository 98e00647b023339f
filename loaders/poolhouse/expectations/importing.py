"""Importing Great Expectations without the packages that a check does not use.

It imports at once what any of its sources, expectations and pages may need. `sparingly` takes
two fifths off the time: it hides what other sources need, and postpones what a single expectation
or page needs. Later imports of these packages find them as ever.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

# As if not installed: clients of other sources, and a part of SQLAlchemy of which it takes a name
# and never uses it. Spark also warns about pandas, and ends the process where only its client is
# installed and its tests' modules look for a whole Spark.
_HIDDEN = ("pyspark", "boto3", "botocore", "google", "sqlalchemy.orm")

# Used when an expectation is compared or a page is written, and not before.
_POSTPONED = ("altair", "jsonschema", "mistune", "scipy.stats")


class _Postponed(ModuleType):
    """Stands for a module, which is imported when the first of its attributes is used."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        _remove(self)
        return getattr(import_module(self.__name__), name)


@contextmanager
def sparingly() -> Iterator[None]:
    """Import what is needed alone in the `with` block, and do not collect garbage meanwhile."""
    modules: dict[str, Any] = sys.modules
    hidden = {name: modules.pop(name) for name in [*modules] if _is_hidden(name)}
    modules.update(dict.fromkeys(_HIDDEN))
    stand_ins = [_Postponed(name) for name in _POSTPONED if name not in modules]
    modules.update({each.__name__: each for each in stand_ins})
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            # What was imported is old from now on, and nobody looks whether it is garbage.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
        for each in stand_ins:
            _remove(each)
        for name in _HIDDEN:
            del modules[name]
        modules.update(hidden)


def _is_hidden(name: str) -> bool:
    return f"{name}.".startswith(tuple(f"{each}." for each in _HIDDEN))


def _remove(stand_in: _Postponed) -> None:
    """Let later imports find the module itself."""
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]
