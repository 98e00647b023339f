"""The options of a command that are fields of its request."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import click

from poolhouse.command_line.options import collection_names, input_path
from poolhouse.request_fields import Option, options_in


def options_of(
    request: type[attrs.AttrsInstance],
    *,
    own: bool = False,
    **changed: Mapping[str, Any],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an option for each field of a request that declares one, in the order of the fields.

    `changed` are attributes of click for the options that the command reads in its own way. With
    `own`, the fields of base classes are left out.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for name, (field, declared) in reversed(options_in(request).items()):
            if own and field.inherited:  # type: ignore[attr-defined]  # not in the stubs
                continue
            names = declared.names or (f"--{name.replace('_', '-')}",)
            attributes = _attributes(field, declared) | dict(changed.get(name, {}))
            command = click.option(*names, name, **attributes)(command)
        return command

    return with_options


def _attributes(field: "attrs.Attribute[Any]", declared: Option) -> dict[str, Any]:
    """Return the attributes of a field's option, as click names them."""
    found: dict[str, Any] = {"help": declared.help}
    if declared.metavar:
        found["metavar"] = declared.metavar
    if field.default is attrs.NOTHING:
        found |= {"required": True, "multiple": declared.is_repeated}
    elif field.default is False:
        return found | {"is_flag": True}
    elif field.default == ():
        found["multiple"] = True
    else:
        found |= {"default": field.default, "show_default": declared.shows_default}
    if field.name in ("collection", "collections"):
        found["shell_complete"] = collection_names
    return found | {"type": _type(field, declared)}


def _type(field: "attrs.Attribute[Any]", declared: Option) -> Any:  # noqa: ANN401 - what click takes as a type
    if declared.is_file:
        return input_path
    if declared.among:
        # A member of an enumeration would be shown by its name.
        return click.Choice(
            [str(each) if isinstance(each, str) else each for each in declared.among]
        )
    if declared.least is not None or declared.most is not None:
        is_fraction = field.type == float | None
        range_of = click.FloatRange if is_fraction else click.IntRange
        return range_of(declared.least, declared.most)
    return None
