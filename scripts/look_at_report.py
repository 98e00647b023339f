"""Open a report in a browser, as its readers do; take screenshots and list the browser's errors.

    uv run --group dev python scripts/look_at_report.py report.html screenshots

The script needs a Chromium on the machine, such as Debian's package `chromium`.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

WIDTHS = (390, 1400)
SCHEMES = ("light", "dark")


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the Chromium of the machine, and end it after use."""
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
    chromium: Browser, file: Path, width: int, scheme: str
) -> Iterator[tuple[Page, list[str]]]:
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


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


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
                    if pixels := overflow(page):
                        problems.append(f"{width} {scheme}: {pixels} pixels too wide")
        with opened(chromium, file, WIDTHS[-1], "light") as (page, _):
            page.pdf(path=folder / "printed.pdf", format="A4")
    print("\n".join(problems) or "nothing to complain of")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
