"""`poolhouse settings`."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.options import db_option, examples, format_option, say_next
from poolhouse.option_values import How

if TYPE_CHECKING:
    from poolhouse.building.choosing import Changed, Standing
    from poolhouse.building.settings import Setting
    from poolhouse.warehouse.file import Warehouse

_COLUMNS = [
    "setting",
    "value",
    "default",
    "is_changed",
    "is_built",
    "possible_values",
    "description",
]
# Columns of the list of all settings; a single setting is shown with all columns.
_SHOWN = ["setting", "value", "is_changed", "is_built", "possible_values"]
_WIDTH = 40


@click.command(
    short_help="Show the settings of the models, or change one.",
    epilog=examples(
        "settings",
        "settings measures --add nDCG@50 AP@50",
        "settings lipani_alpha --default",
    ),
)
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[VALUE]...")
@click.option("--add", is_flag=True, help="Add the values to a list.")
@click.option("--remove", is_flag=True, help="Remove the values from a list.")
@click.option("--default", is_flag=True, help="Restore the default.")
@format_option
@db_option
def settings(
    name: str | None,
    values: tuple[str, ...],
    add: bool,
    remove: bool,
    default: bool,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Show the settings of the models, or change a setting for the next build.

    Without a NAME all settings are shown; with a NAME that setting is shown. With VALUEs the
    setting is changed to these: a list such as `measures` takes several values, any other setting
    takes one.
    """
    from poolhouse.building.choosing import change_setting, setting_named, standings
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar

    how = _how(add=add, remove=remove, default=default)
    setting = setting_named(name) if name else None
    if setting is None or (not values and how is How.SET):
        if how is not How.SET:
            raise click.UsageError(f"--{how} needs the name of a setting")
        shown = [each for each in standings(warehouse) if setting in (None, each.setting)]
        if output == "table" and setting is None:
            console.write_table(_SHOWN, _shown(shown))
        else:
            console.write_rows(_COLUMNS, _rows(shown, output), output)
        say_next("settings", *(["measures"] if setting is None else [setting.name, "--help"]))
        return
    _check_usage(setting, how, values)
    with progress_bar("settings") as bar:
        changed = change_setting(warehouse, setting, how, values, lambda text: bar.show(text, 0, 0))
    if changed is None:
        console.remark(f"nothing changed: {setting.name} already has this value")
        say_next("settings", setting.name)
        return
    console.remark(f"{setting.name}: {_difference(changed)}")
    if output != "table":
        said = {"setting": setting.name, **asdict(changed)}
        console.write_rows(list(said), [list(said.values())], output)
    if changed.is_built:
        console.remark("nothing to build: the marts were built with these settings")
        say_next("status")
    else:
        say_next(*(["build"] if changed.is_loaded else ["load", "--help"]))


def _how(**asked: bool) -> How:
    hows = [How(name) for name, is_asked in asked.items() if is_asked]
    if len(hows) > 1:
        raise click.UsageError(f"--{hows[0]} and --{hows[1]} do not go together")
    return hows[0] if hows else How.SET


def _check_usage(setting: "Setting", how: How, values: tuple[str, ...]) -> None:
    if how is How.DEFAULT:
        if values:
            raise click.UsageError("--default takes no value")
    elif not values:
        raise click.UsageError(f"--{how} needs a value")
    elif not setting.is_list and how is not How.SET:
        raise click.UsageError(f"{setting.name} is not a list: give its value without --{how}")
    elif not setting.is_list and len(values) > 1:
        raise click.UsageError(f"{setting.name} takes one value: {setting.possible_values}")


def _rows(shown: Iterable["Standing"], output: str) -> Iterator[tuple[object, ...]]:
    for each in shown:
        setting = each.setting
        cells = (each.value, setting.default)
        yield (
            setting.name,
            *(map(_as_text, cells) if output == "table" else cells),
            each.is_changed,
            each.is_built,
            setting.possible_values,
            setting.description,
        )


def _shown(standings: Iterable["Standing"]) -> Iterator[tuple[object, ...]]:
    for setting, value, _, is_changed, is_built, possible_values, _ in _rows(standings, "table"):
        yield setting, value, is_changed, is_built, possible_values


def _as_text(value: Any) -> str:  # noqa: ANN401 - what somebody wrote
    """Return a value as one types it; a long list is wrapped."""
    from textwrap import fill

    from poolhouse.building.settings import texts_of

    return fill(" ".join(texts_of(value)), _WIDTH, break_long_words=False, break_on_hyphens=False)


def _difference(changed: "Changed") -> str:
    before, after = changed.before, changed.after
    if not isinstance(after, list) or not isinstance(before, list):
        return f"{after} (before: {before})"
    parts = {
        "added": [each for each in after if each not in before],
        "removed": [each for each in before if each not in after],
    }
    said = [f"{word} {' '.join(each)}" for word, each in parts.items() if each]
    return "; ".join(said) or f"in the order {' '.join(after)}"
