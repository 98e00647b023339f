"""The entries of an archive as parameters of `load`: each key is a long option of `load`.

The options of LoadRequest are the only list of keys: a new option is a new key.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from poolhouse.command_line.named_files import NamedFile
from poolhouse.errors import PoolhouseError
from poolhouse.loading.archives import BadEntryError, Entry
from poolhouse.loading.load import check_name
from poolhouse.loading.request import LoadRequest
from poolhouse.request_fields import options_in

RequestOf = Callable[..., LoadRequest]


def requests_of(
    context: click.Context, entries: Sequence[Entry], request_of: RequestOf
) -> tuple[list[tuple[Entry, LoadRequest]], list[BadEntryError]]:
    """Return a request for each good entry, and an error for each broken entry.

    An option of the command line applies to every entry that does not set it itself. Raise click's
    UsageError where the command line names files or a collection.
    """
    keys = _keys(context.command.params)
    _refuse_files(context)
    common = {name: context.params[name] for name in options_in(LoadRequest)}
    requests, broken = [], []
    lines: dict[str, int] = {}
    for entry in entries:
        try:
            own = _parameters(entry, context, keys)
            collection = own["collection"]
            if collection in lines:
                raise entry.refused(f"is in line {lines[collection]} too; join both into one entry")
            lines[collection] = entry.line
            requests.append((entry, _request(entry, request_of, {**common, **own})))
        except BadEntryError as error:
            broken.append(error)
    return requests, broken


def _keys(parameters: Iterable[click.Parameter]) -> dict[str, click.Parameter]:
    """Return the parameters that an entry may have, by key: the long option without dashes."""
    own = {"collection", *options_in(LoadRequest)}
    return {
        max(each.opts, key=len).removeprefix("--"): each for each in parameters if each.name in own
    }


def _refuse_files(context: click.Context) -> None:
    """Raise click's UsageError where the command line names a collection or files."""
    for each in context.command.params:
        given = context.params.get(each.name or "")
        is_argument = isinstance(each, click.Argument)
        is_of_files = each.name in options_in(LoadRequest) and any(_paths(given))
        if given and (is_argument or is_of_files):
            word = each.human_readable_name if is_argument else max(each.opts, key=len)
            raise click.UsageError(
                f"--archive takes collections and their files from the archive: leave out {word}"
            )


def _parameters(
    entry: Entry, context: click.Context, keys: dict[str, click.Parameter]
) -> dict[str, Any]:
    if entry.problem:
        raise entry.refused(entry.problem)
    found = {}
    for key, value in entry.values.items():
        if key not in keys:
            raise entry.refused(f"unknown key {key!r} (known: {', '.join(keys)})")
        try:
            found[keys[key].name or key] = _parameter(entry, context, keys[key], value)
        except click.BadParameter as error:
            raise entry.refused(f"{key}: {error.message.rstrip('.')}") from error
        except ValueError as error:  # such as a path with a NUL byte
            raise entry.refused(f"{key}: {error}") from error
    if "collection" not in found:
        raise entry.refused("names no collection (collection: NAME)")
    return found


def _parameter(
    entry: Entry,
    context: click.Context,
    parameter: click.Parameter,
    value: Any,  # noqa: ANN401 - what somebody wrote
) -> Any:  # noqa: ANN401 - as the option has it
    """Convert a value as the command line does; paths are relative to the archive's folder."""
    if isinstance(parameter.type, NamedFile):
        found: Any = _named_files(entry, parameter, parameter.type, value)
    else:
        found = _converted(entry, context, parameter, value)
    for path in _paths(found):
        if not os.path.exists(path):  # noqa: PTH110 - no error where a folder cannot be read
            raise ValueError(f"{path}: no such file or folder")
    return found


def _named_files(
    entry: Entry,
    parameter: click.Parameter,
    kind: NamedFile,
    value: Any,  # noqa: ANN401 - what somebody wrote
) -> tuple[Any, ...]:
    """Convert a file, a list of files with or without names, or a mapping from names to files."""
    folder = entry.archive.parent
    if isinstance(value, dict):
        # the key is the name, whatever it holds
        files = {name: folder / _one(parameter, file) for name, file in value.items()}
        if not files:
            raise ValueError("has no value: leave it out, or give it one")
        return tuple(files.items())
    given = value if isinstance(value, list) else [value]
    return tuple(kind.in_folder(_one(parameter, each), folder) for each in given)


def _converted(
    entry: Entry,
    context: click.Context,
    parameter: click.Parameter,
    value: Any,  # noqa: ANN401 - what somebody wrote
) -> Any:  # noqa: ANN401 - as the option has it
    if parameter.multiple:
        is_list = isinstance(value, list)
        if parameter.nargs > 1 and not is_list:
            raise ValueError(f"expected a list of lists of {parameter.nargs} values")
        given: Any = [_one(parameter, each) for each in (value if is_list else [value])]
    else:
        given = _one(parameter, value)
    return _beside(entry.archive.parent, parameter.type_cast_value(context, given))


def _one(parameter: click.Parameter, value: Any) -> Any:  # noqa: ANN401 - what somebody wrote
    """Return a value in the form that click's parser of command lines passes on."""
    if parameter.nargs == 1:
        if not isinstance(value, str):
            raise ValueError("expected one value, not a list")
        if not value:
            raise ValueError("has no value: leave it out, or give it one")
        return value
    is_tuple = isinstance(value, list) and all(isinstance(each, str) and each for each in value)
    if not is_tuple or len(value) != parameter.nargs:
        raise ValueError(f"expected a list of {parameter.nargs} values")
    return value


def _beside(folder: Path, value: Any) -> Any:  # noqa: ANN401 - as the option has it
    if isinstance(value, Path):
        return folder / value
    if isinstance(value, tuple | list):
        return tuple(_beside(folder, each) for each in value)
    return value


def _paths(value: object) -> Iterator[Path]:
    if isinstance(value, Path):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _paths(each)


def _request(entry: Entry, request_of: RequestOf, parameters: dict[str, Any]) -> LoadRequest:
    try:
        check_name(parameters["collection"])
        return evolve(request_of(**parameters), is_quotable=False)
    except click.ClickException as error:
        raise entry.refused(error.format_message().rstrip(".")) from error
    except PoolhouseError as error:
        raise entry.refused(str(error)) from error
