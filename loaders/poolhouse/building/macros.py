"""The macros of the dbt project, rendered without dbt.

A plan holds the SQL of the measures that the settings name. A command that gets its measures as
arguments renders the same macros for these measures, which takes a tenth of a second; starting dbt
takes four seconds (docs/decisions/scoring_files.md).
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FunctionLoader, Template
from jinja2.bccache import Bucket

from poolhouse.building.project import cache_folder, project_folder
from poolhouse.errors import PoolhouseError

_FOLDERS = ("macros/measures", "macros/rules")
_MACRO = re.compile(r"({%-?\s*macro\s+)(\w+)")
# Within a template, a macro of the same template would hide the callable of its name.
_PREFIX = "macro_of_"


class _Returned(Exception):  # noqa: N818 - dbt's way to return a value from a macro
    def __init__(self, value: object) -> None:
        self.value = value


class _Errors:
    """dbt's `exceptions`."""

    @staticmethod
    def raise_compiler_error(problem: str) -> None:
        """Raise PoolhouseError."""
        raise PoolhouseError(problem)


class _Modules:
    """dbt's `modules`."""

    re = re


def _return(value: object) -> None:
    raise _Returned(value)


@cache
def macros_of(version: int) -> Environment:
    """Return an environment whose templates may call the macros, as models may in dbt.

    `version` is the setting `trec_eval`, the only one that measures read. A macro raises
    PoolhouseError where it would raise a compiler error in dbt.
    """
    environment = Environment(  # noqa: S701 - the templates are SQL
        extensions=["jinja2.ext.do"], loader=FunctionLoader(_source), bytecode_cache=_kept_code()
    )
    names = environment.globals
    names |= {
        "return": _return,
        "ref": "intermediate.{}".format,
        "var": {"trec_eval": version}.__getitem__,
        "modules": _Modules,
        "exceptions": _Errors,
        "context": names,
    }
    for folder in _FOLDERS:
        for file in sorted((project_folder() / folder).glob("*.sql")):
            template = partial(environment.get_template, f"{folder}/{file.name}")
            for _, name in _MACRO.findall(file.read_text(encoding="utf-8")):
                names[name] = _callable(template, name)
    return environment


def _source(name: str) -> str:
    """Return a template of the project whose macros have names of their own."""
    text = (project_folder() / name).read_text(encoding="utf-8")
    return _MACRO.sub(rf"\g<1>{_PREFIX}\g<2>", text)


class _KeptCode(FileSystemBytecodeCache):
    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template, or do without where the folder cannot be written."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _kept_code() -> FileSystemBytecodeCache | None:
    """Return the folder of compiled templates: to compile them takes a quarter of a second."""
    folder = cache_folder() / "macros"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return _KeptCode(str(folder))


def _callable(template: Callable[[], Template], name: str) -> Callable[..., Any]:
    """Return a macro as a function; its template is compiled when it is first called.

    A result is kept, because a macro gives the same for the same arguments: a hundred measures
    parse each of their names ten times.
    """

    def call(*arguments: object, **named: object) -> object:
        macro = getattr(template().module, f"{_PREFIX}{name}")
        try:
            return macro(*arguments, **named)
        except _Returned as returned:
            return returned.value

    kept = lru_cache(maxsize=None, typed=True)(call)

    def call_once(*arguments: object, **named: object) -> object:
        try:
            return kept(*arguments, **named)
        except TypeError:  # an argument is a list or a dict
            return call(*arguments, **named)

    return call_once
