"""Write the documentation site: the pages of docs, and dbt's documentation of the models.

`just site` runs this script. The site needs no network and no server: open site/index.html from the
disk.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

PROJECT = Path(__file__).parents[1]
SETTINGS = PROJECT / "scripts" / "site"
SITE = PROJECT / "site"

# The front page of the site is the README. Browsers and servers look for index.html.
INDEX = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=README.html">
<title>Poolhouse</title>
<a href="README.html">Poolhouse</a>
</html>
"""
# dbt's page fetches this script where usage statistics are on. They are off (dbt_project.yml), and
# the site must not contain the address at all.
TRACKER = "//d1fc8wv8zag5ca.cloudfront.net/2.9.0/sp.js"


def main() -> None:
    """Write the pages of docs, then dbt's page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=SITE, help="the folder to write")
    parser.add_argument("--db", type=Path, help="a built warehouse  [default: a new demo]")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    write_pages(arguments.output)
    with TemporaryDirectory() as scratch:
        warehouse = Path(scratch) / "poolhouse.duckdb"
        if arguments.db:
            shutil.copyfile(arguments.db, warehouse)
        else:
            run("from poolhouse.command_line.entry import main; main()", "demo", "--db", warehouse)
        write_models(arguments.output, warehouse)
    print(arguments.output / "index.html")


def write_pages(site: Path) -> None:
    """Write the pages; exit where a link leads nowhere, or Sphinx gives any other warning."""
    # Sphinx looks in this folder for the extensions that conf.py names.
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
    (site / "index.html").write_text(INDEX, encoding="utf-8")


def write_models(site: Path, warehouse: Path) -> None:
    """Write dbt's documentation of the models of a warehouse, as one page.

    dbt asks the warehouse for the columns, and only reads the file.
    """
    target = warehouse.with_suffix(".dbt")
    run(
        "from dbt.cli.main import cli; cli()",
        *("docs", "generate", "--static", "--quiet"),
        *("--project-dir", PROJECT, "--profiles-dir", PROJECT),
        *("--target-path", target, "--log-path", target),
        POOLHOUSE_DB=str(warehouse),
    )
    page = (target / "static_index.html").read_text(encoding="utf-8")
    if TRACKER not in page:
        sys.exit("dbt writes another page than it did: see whether it fetches anything")
    # The page must not contain a path of this machine either.
    for private in (TRACKER, f"{target}/", f"{PROJECT}/"):
        page = page.replace(private, "")
    page = page.replace(str(PROJECT), ".")
    (site / "dbt").mkdir()
    (site / "dbt" / "index.html").write_text(page, encoding="utf-8")


def run(code: str, *arguments: str | Path, **environment: str) -> None:
    """Run a command line in a separate process; exit where it fails."""
    done = subprocess.run(  # noqa: S603 - own arguments
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{arguments[0]} failed with exit status {done.returncode}")


if __name__ == "__main__":
    main()
