"""Write the documentation site: the pages of docs, and what dbt documents of the models.

Run by `just site`. Nothing in it is fetched from another host: site/index.html opens from the disk.
"""

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

PROJECT = Path(__file__).parents[1]
SETTINGS = PROJECT / "scripts" / "site"
SITE = PROJECT / "site"

# Its front page is the README; browsers and servers look for index.html.
INDEX = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=README.html">
<title>Poolhouse</title>
<a href="README.html">Poolhouse</a>
</html>
"""


def main() -> None:
    """Write the pages, then dbt's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=SITE, help="the folder to write")
    parser.add_argument("--db", type=Path, help="a built warehouse  [default: a new demo]")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    write_pages(arguments.output)
    print(arguments.output / "index.html")


def write_pages(site: Path) -> None:
    """Write the pages; end where a link leads nowhere, or Sphinx warns of something else."""
    sys.path.insert(0, str(SETTINGS))
    with TemporaryDirectory() as scratch:
        status = build_main(
            [
                *("--builder", "html", "--conf-dir", str(SETTINGS), "--doctree-dir", scratch),
                *("--fail-on-warning", "--quiet", str(PROJECT), str(site)),
            ]
        )
    if status:
        sys.exit("the pages of the site have the problems above")
    for leftover in (".buildinfo", "objects.inv"):
        (site / leftover).unlink(missing_ok=True)
    (site / "index.html").write_text(INDEX, encoding="utf-8")


if __name__ == "__main__":
    main()
