"""Write the answers in docs/mcp.md: a client of the SDK makes each call of the page on the demo.

`just mcp` runs this script. With --check, it fails where the page shows other answers.
"""

import asyncio
import gzip
import json
import re
import sys
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from mcp import Client

from poolhouse.command_line.main import main as poolhouse
from poolhouse.mcp_server.serving import server_of
from poolhouse.mcp_server.source import Folder, Source
from poolhouse.warehouse.file import Warehouse

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "mcp.md"
# A call of the page, with its arguments, and the answer below it.
CALL = re.compile(r"(`(\w+)` `(\{.*\})`\n\n```\n)(?s:.*?)(```\n)")
MOST_LINES, WIDTH = 12, 300
SECONDS = 600


@click.command()
@click.option(
    "--db",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A warehouse that the demo built.  [default: a new one]",
)
@click.option("--check", is_flag=True, help="Write nothing, fail where the page is not current.")
def main(db: Path | None, check: bool) -> None:
    """Write the answers, or compare the page with new ones."""
    before = PAGE.read_text(encoding="utf-8")
    with TemporaryDirectory() as name:
        warehouse = Warehouse(db or Path(name) / "demo.duckdb")
        if not db:
            poolhouse(["demo", "--db", str(warehouse.path)], standalone_mode=False)
        folder = Path(name) / "runs"
        folder.mkdir()
        files = warehouse.path.with_name(f"{warehouse.path.stem}-files")
        (folder / "my.run").write_text(fused(files / "shallow-pool" / "runs"))
        calls = [(tool, json.loads(given)) for _, tool, given, _ in CALL.findall(before)]
        answers = asyncio.run(answered(Source(warehouse, Folder.at(folder)), calls))
    page = CALL.sub(lambda call: f"{call[1]}{answers.pop(0)}{call[4]}", before)
    if not check:
        PAGE.write_text(page, encoding="utf-8")
    elif page != before:
        sys.exit(f"{PAGE.relative_to(PROJECT)} is not what the demo answers: just mcp")


def fused(runs: Path) -> str:
    """Return a run that takes its documents in turn from two runs that were not pooled."""
    names = ("jasper1", "jasper2")
    of_both = (gzip.decompress((runs / f"{name}.gz").read_bytes()).decode() for name in names)
    ranked: dict[str, dict[str, None]] = {}
    for line in chain.from_iterable(zip(*map(str.splitlines, of_both), strict=False)):
        topic, _, document, *_ = line.split()
        ranked.setdefault(topic, {})[document] = None
    return "".join(
        f"{topic} Q0 {document} {rank} {-rank} my\n"
        for topic, documents in ranked.items()
        for rank, document in enumerate(documents, start=1)
    )


async def answered(source: Source, calls: list[tuple[str, dict[str, object]]]) -> list[str]:
    """Make the calls, and return the answers as the page shows them."""
    async with Client(server_of(source, SECONDS)) as client:
        results = [await client.call_tool(tool, given) for tool, given in calls]
    return [
        _shown(f"{'error: ' * result.is_error}{getattr(result.content[0], 'text', '')}")
        for result in results
    ]


def _shown(text: str) -> str:
    lines = text.splitlines()
    cut = [line[:WIDTH] + " ..." * (len(line) > WIDTH) for line in lines[:MOST_LINES]]
    more = len(lines) - MOST_LINES
    return "".join(f"{line}\n" for line in [*cut, *[f"... {more} more lines"] * (more > 0)])


if __name__ == "__main__":
    main()
