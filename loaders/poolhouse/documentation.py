"""The pages of the documentation, which travel inside a wheel."""

from pathlib import Path

from poolhouse.errors import PoolhouseError, did_you_mean

_PACKAGE = Path(__file__).parent


def folder() -> Path:
    """Tell where the pages are: inside an installed wheel, else in the checkout."""
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


def _title_of(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()
