"""Requests: frozen classes whose fields are also options of a command.

A field has its name, its type and its default. `option(...)` adds what the command line says of it.
The command line makes options of the fields (command_line/request_options.py), and the Python API
takes the parameters of the class (api/parameters.py). So an option is declared once.
"""

import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs

from poolhouse.errors import PoolhouseError

FileLike = str | os.PathLike[str]

_OPTION = "option"


@dataclass(frozen=True)
class Option:
    """What the command line says of a field, and the values that the field may have.

    `names` are the names of the option, where it is not called as the field is. `least` and `most`
    are the limits of a number, and `among` are the possible texts. A field with `is_file` holds
    paths. `is_repeated` marks a field with several values and no default.
    """

    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    least: int | None = None
    most: int | None = None
    among: Collection[object] = ()
    is_file: bool = False
    is_repeated: bool = False
    shows_default: bool = False


def said(help_text: str, *names: str, **rest: Any) -> dict[str, Option]:  # noqa: ANN401 - fields of Option
    """Return the metadata of a field that is an option."""
    return {_OPTION: Option(help_text, names, **rest)}


def option(
    help_text: str,
    *names: str,
    default: Any = None,  # noqa: ANN401 - of the field's type
    converter: Callable[[Any], Any] | None = None,
    **rest: Any,  # noqa: ANN401 - fields of Option
) -> Any:  # noqa: ANN401 - as attrs.field
    """Return a field with a default that is an option."""
    return attrs.field(
        default=default, converter=converter, metadata=said(help_text, *names, **rest)
    )


def as_path(file: FileLike) -> Path:
    """Return the path of a file.

    Raise PoolhouseError where its name is not text.
    """
    name = os.fspath(file)
    if not isinstance(name, str):
        raise PoolhouseError(f"{name!r} is not the name of a file: give text, or a pathlib.Path")
    return Path(name)


def options_in(
    request: type[attrs.AttrsInstance],
) -> dict[str, tuple["attrs.Attribute[Any]", Option]]:
    """Return the fields of a request that are options, by their names, in their order."""
    return {
        each.name: (each, each.metadata[_OPTION])
        for each in attrs.fields(request)
        if _OPTION in each.metadata
    }


def check_limits(request: attrs.AttrsInstance) -> None:
    """Raise PoolhouseError where a value is not one that its field may have."""
    for name, (_, declared) in options_in(type(request)).items():
        given = getattr(request, name)
        called = declared.names[-1].removeprefix("--") if declared.names else name
        words = re.sub("[_-]", " ", called)
        for value in given if isinstance(given, tuple) else (given,):
            if value is None:
                continue
            if declared.among and value not in declared.among:
                raise PoolhouseError(
                    f"{words}: {value!r} is not one of {', '.join(map(str, declared.among))}"
                )
            least, most = declared.least, declared.most
            # `nan` is within no limits.
            if not ((least is None or value >= least) and (most is None or value <= most)):
                limits = f"{least} or more" if most is None else f"{least} to {most}"
                raise PoolhouseError(f"{words}: {value}, expected {limits}")
