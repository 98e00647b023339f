"""The pages of the documentation, which travel inside a wheel."""

import re
from pathlib import Path

from poolhouse.errors import PoolhouseError, did_you_mean

_PACKAGE = Path(__file__).parent

# The heading of a table, and a name in it.
_FILTERS = "## Filters that the full marts need\n"
_QUOTED = re.compile("`(.+?)`")


def folder() -> Path:
    """Return where the pages are: inside an installed wheel, else in the checkout."""
    installed = _PACKAGE / "_docs"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "docs"


def pages() -> dict[str, str]:
    """List the pages by name, such as `decisions/ties`, with their titles."""
    return {
        file.relative_to(folder()).with_suffix("").as_posix(): _title_of(file)
        for file in sorted(folder().rglob("*.md"))
    }


def file_of(page: str) -> Path:
    """Find a page by its name, with or without `.md`. Raise PoolhouseError."""
    name = page.removesuffix(".md")
    if name not in (known := pages()):
        raise PoolhouseError(f"there is no page {page!r}{did_you_mean(name, known)}")
    return folder() / f"{name}.md"


def filters() -> dict[str, tuple[list[str], str]]:
    """Return the columns that a mean over a mart must filter, and why, by the mart's name.

    They stand in a table of the page `joins`; a mart that needs no filter is not in it.
    """
    _, section = file_of("joins").read_text(encoding="utf-8").split(_FILTERS)
    lines = section.partition("\n## ")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return {
        mart: (_QUOTED.findall(columns), why)
        for marts, columns, why in rows
        for mart in _QUOTED.findall(marts)
    }


def _title_of(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()
