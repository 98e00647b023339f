"""Open a report in a browser, as its readers do; take screenshots and list the browser's errors.

    uv run --group dev python scripts/look_at_report.py report.html screenshots

The script needs a Chromium on the machine, such as Debian's package `chromium`.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = (390, 768, 1280, 1920)
SCHEMES = ("light", "dark")


@contextmanager
def browser() -> Iterator["Browser"]:
    """Start the Chromium of the machine, and end it after use."""
    # Importing it takes a quarter of a second, also where tests are only collected.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        try:
            yield chromium
        finally:
            chromium.close()


@contextmanager
def opened(
    chromium: "Browser", file: Path, width: int, scheme: str
) -> Iterator[tuple["Page", list[str]]]:
    """Open a report, and return it when all its figures are drawn, with the browser's messages."""
    page = chromium.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("file:", "data:"))
            else complaints.append(f"request: {request.url}")
        ),
    )
    page.goto(file.absolute().as_uri())
    page.wait_for_selector("html[data-drawn]", timeout=60_000)
    yield page, complaints
    page.close()


_BEYOND = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const { right, width, height } = element.getBoundingClientRect();
  const isShown = width > 1 && height > 1 && !element.closest(".skip, .vg-tooltip");
  const isCut = getComputedStyle(element).overflowX !== "visible" && element.clientWidth
    && element.scrollWidth > element.clientWidth + 1;
  return isShown && (right > document.documentElement.clientWidth + 1 || isCut);
}).map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`)"""


def beyond(page: "Page") -> list[str]:
    """Open what is folded; return what lies beyond the window's edge, or is cut at a box's edge."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    return list(page.evaluate(_BEYOND))


_ABOVE = """() => [...document.querySelectorAll(".chart svg")].filter((svg) => {
  const tops = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect().top);
  return svg.clientHeight && Math.min(...tops) < svg.getBoundingClientRect().top - 1;
}).map((svg) => svg.closest("figure").textContent.trim().slice(0, 60))"""


def above(page: "Page") -> list[str]:
    """Return the figures that begin above their place, such as a legend over the heading."""
    return list(page.evaluate(_ABOVE))


def main() -> None:
    """Take screenshots in every width and colour scheme, and print the faults."""
    file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    with browser() as chromium:
        for width in WIDTHS:
            for scheme in SCHEMES:
                with opened(chromium, file, width, scheme) as (page, complaints):
                    page.screenshot(path=folder / f"{width}-{scheme}.png", full_page=True)
                    problems += [f"{width} {scheme}: {each}" for each in complaints]
                    problems += [
                        f"{width} {scheme}: over a heading: {each}" for each in above(page)
                    ]
                    problems += [
                        f"{width} {scheme}: beyond the edge: {each}" for each in beyond(page)
                    ]
                    page.screenshot(path=folder / f"{width}-{scheme}-open.png", full_page=True)
        with opened(chromium, file, WIDTHS[-1], "dark") as (page, _):
            for paper in ("A4", "Letter"):
                page.pdf(path=folder / f"{paper}.pdf", format=paper)
    print("\n".join(problems) or "nothing to complain of")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
