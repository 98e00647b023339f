"""The pages of the documentation, which travel inside a wheel."""

import re
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from poolhouse.errors import PoolhouseError, did_you_mean

_PACKAGE = Path(__file__).parent

# A name in a table.
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


def table_of(page: str, first: str) -> list[dict[str, str]]:
    """Return the rows of the first table of a page whose first column has this name."""
    lines = iter(file_of(page).read_text(encoding="utf-8").splitlines())
    start = next(line for line in lines if line.startswith(f"| {first} |"))
    columns, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (start, *takewhile(lambda line: line.startswith("|"), lines))
    )
    return [dict(zip(columns, row, strict=True)) for row in rows]


class Filter(NamedTuple):
    """The columns that a mean over a mart must filter or group by, and why."""

    columns: tuple[str, ...]
    why: str


def filters() -> dict[str, Filter]:
    """Return the filters of the marts that need one, by the names of the marts (page `joins`)."""
    return {
        mart: Filter(tuple(_QUOTED.findall(row["filter or group by"])), row["why"])
        for row in table_of("joins", "mart")
        for mart in _QUOTED.findall(row["mart"])
    }


def _title_of(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()
