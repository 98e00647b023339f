"""`poolhouse docs`."""

import sys

import click

from poolhouse.command_line.options import examples


def _pages(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of pages that begin with the incomplete text, for a shell."""
    from poolhouse.documentation import pages

    return [name for name in pages() if name.startswith(incomplete)]


@click.command(
    short_help="Read the documentation that came with Poolhouse.",
    epilog=examples("docs", "docs verdicts", "docs decisions/ties"),
)
@click.argument("page", required=False, shell_complete=_pages)
@click.option("--path", "is_path", is_flag=True, help="Print the path of the page's file.")
def docs(page: str | None, is_path: bool) -> None:
    """List the pages of the documentation, or show PAGE.

    On a terminal the page is laid out. Elsewhere it is printed as Markdown.
    """
    from poolhouse.command_line import console
    from poolhouse.documentation import file_of, folder, pages

    if page is None:
        if is_path:
            click.echo(folder())
            return
        console.write_table(["page", "title"], list(pages().items()))
        console.remark("next: poolhouse docs PAGE")
        return
    file = file_of(page)
    if is_path:
        click.echo(file)
        return
    text = file.read_text(encoding="utf-8")
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        with Console() as terminal:
            terminal.print(Markdown(text))
    else:
        sys.stdout.write(text)
