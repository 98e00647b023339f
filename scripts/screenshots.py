"""Redraw the picture of the README: the demo's report, as a browser shows it.

    uv run --group dev python scripts/screenshots.py

The script needs a Chromium on the machine, such as Debian's package `chromium`.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from look_at_report import browser, opened

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "report.png"
_COLLECTION = "shallow-pool"
_WIDTH = 1100
_HEIGHT = 1580


def main() -> None:
    """Build the demo in a temporary folder, and take a picture of the top of its report."""
    with TemporaryDirectory() as folder:
        warehouse, report = Path(folder) / "poolhouse-demo.duckdb", Path(folder) / "report.html"
        poolhouse("demo", "--db", str(warehouse))
        poolhouse("report", _COLLECTION, "-o", str(report), "--db", str(warehouse))
        with browser() as chromium, opened(chromium, report, _WIDTH, "light") as (page, _):
            page.set_viewport_size({"width": _WIDTH, "height": _HEIGHT})
            # The picture must not depend on the time: the line that tells it is removed.
            page.evaluate("document.querySelector('header .soft').remove()")
            page.screenshot(path=PICTURE)


def poolhouse(*arguments: str) -> None:
    """Run the poolhouse command of this environment."""
    subprocess.run([sys.executable, "-m", "poolhouse", *arguments], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
