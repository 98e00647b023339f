"""Judgements in a FILE, or NAME=FILE with the name of their author; preferences have a name."""

from pathlib import Path

import click

from poolhouse.command_line.options import input_path

NamedPath = tuple[str | None, Path]


class NamedFile(click.ParamType[NamedPath]):
    """A file, and the name of its author where the text gives one."""

    name = "file"

    def __init__(self, *, needs_name: bool = False) -> None:
        self.needs_name = needs_name

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> NamedPath:
        """Split a text. A pair is split already."""
        if isinstance(value, tuple):
            name, file = value
            return name, Path(file)
        return self.in_folder(str(value), Path())

    def in_folder(self, text: str, folder: Path) -> NamedPath:
        """Split a text whose path is relative to a folder."""
        from poolhouse.loading.author_names import named_file  # noqa: PLC0415 - no help text waits

        name, file = named_file(text, folder)
        if name is not None and not (name and text.partition("=")[2]):
            raise click.BadParameter(f"{text!r} is no file, and not NAME=FILE")
        if name is None and self.needs_name:
            raise click.BadParameter(f"{text!r} has no author: write NAME=FILE")
        input_path.convert(file, param=None, ctx=None)  # refuses a NUL byte, as for other files
        return name, file


def qrels_of(named: tuple[NamedPath, ...]) -> tuple[Path | None, tuple[tuple[str, Path], ...]]:
    """Return the file without a name, which is the reference, and the files by author.

    Raise click's UsageError where two files have no name.
    """
    unnamed = [file for name, file in named if name is None]
    if len(unnamed) > 1:
        raise click.UsageError(
            f"--qrels {unnamed[0]} and --qrels {unnamed[1]}: judgements of several authors need "
            "the names of their authors (--qrels NAME=FILE)"
        )
    authors = tuple((name, file) for name, file in named if name is not None)
    return (unnamed[0] if unnamed else None), authors
