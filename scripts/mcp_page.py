"""Write the transcripts of docs/mcp.md: a client of the SDK asks the server about the demo.

`just mcp` runs this script. With --check, it fails where the page shows other answers.
"""

import asyncio
import gzip
import json
import sys
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from mcp import Client

from poolhouse.command_line.main import main as poolhouse
from poolhouse.mcp_server.folder import Folder
from poolhouse.mcp_server.serving import server_of
from poolhouse.mcp_server.tools import Tools
from poolhouse.warehouse.file import Warehouse

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "mcp.md"
START, END = "<!-- from the demo -->\n", "<!-- end -->\n"
MOST_LINES, WIDTH = 12, 300
SECONDS = 600

SHALLOW = {"collection": "shallow-pool"}
# A title, and the calls with their arguments.
TRANSCRIPTS = {
    "Which run is best, and can I say so?": [
        ("list_collections", {}),
        ("answer_question", {"question": "best_runs", **SHALLOW}),
        ("compare_runs", {**SHALLOW, "runs": ["beryl2", "jasper2"], "measures": ["P@10"]}),
    ],
    "How much of the first ten documents is unjudged?": [
        ("search_tables", {"words": "share unjudged first ten documents of a run"}),
        ("describe_table", {"table": "fct_topic_score"}),
        ("describe_table", {"table": "leaderboard"}),
        (
            "run_sql",
            {
                "query": "select is_pooled, avg(unjudged_10) as unjudged_10 from leaderboard "
                "where collection_id = 'shallow-pool' group by all order by all"
            },
        ),
        ("run_sql", {"query": "select topic_id, doc_id from fct_judgements order by all"}),
        ("run_sql", {"query": "select * from read_csv('/etc/passwd')"}),
    ],
    "What is my new run worth?": [
        ("list_files", {}),
        ("score_runs", {**SHALLOW, "runs": ["my.run", "beryl2"], "measures": ["P@10"]}),
        ("adjust_run", {**SHALLOW, "run": "my.run"}),
        ("adjust_run", {**SHALLOW, "run": "../qrels.txt"}),
    ],
}


@click.command()
@click.option(
    "--db",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A warehouse that the demo built.  [default: a new one]",
)
@click.option("--check", is_flag=True, help="Write nothing, fail where the page is not current.")
def main(db: Path | None, check: bool) -> None:
    """Write the transcripts, or compare the page with new ones."""
    with TemporaryDirectory() as name:
        warehouse = Warehouse(db or Path(name) / "demo.duckdb")
        if not db:
            poolhouse(["demo", "--db", str(warehouse.path)], standalone_mode=False)
        folder = Path(name) / "runs"
        folder.mkdir()
        files = warehouse.path.with_name(f"{warehouse.path.stem}-files")
        (folder / "my.run").write_text(fused(files / "shallow-pool" / "runs"))
        text = asyncio.run(played(Tools(warehouse, Folder.at(folder))))
    before = PAGE.read_text(encoding="utf-8")
    page = before.partition(START)[0] + START + text + END + before.partition(END)[2]
    if not check:
        PAGE.write_text(page, encoding="utf-8")
    elif page != before:
        sys.exit(f"{PAGE.relative_to(PROJECT)} is not what the demo answers: just mcp")


def fused(runs: Path) -> str:
    """Return a run that takes its documents in turn from two runs that were not pooled."""
    of_both = (
        gzip.decompress((runs / f"{name}.gz").read_bytes()) for name in ("jasper1", "jasper2")
    )
    turns = zip(*(lines.decode().splitlines() for lines in of_both), strict=False)
    ranked: dict[str, dict[str, None]] = {}
    for topic, _, document, *_ in map(str.split, chain.from_iterable(turns)):
        ranked.setdefault(topic, {})[document] = None
    return "".join(
        f"{topic} Q0 {document} {rank} {-rank} my\n"
        for topic, documents in ranked.items()
        for rank, document in enumerate(documents, start=1)
    )


async def played(tools: Tools) -> str:
    """Ask everything, and return the transcripts in Markdown."""
    async with Client(server_of(tools, SECONDS)) as client:
        return "".join([part async for part in _parts(client)])


async def _parts(client: Client) -> AsyncIterator[str]:
    for title, calls in TRANSCRIPTS.items():
        yield f"\n### {title}\n"
        for tool, arguments in calls:
            result = await client.call_tool(tool, dict(arguments))
            mark = "error: " if result.is_error else ""
            answer = "\n".join(_shown(f"{mark}{getattr(result.content[0], 'text', '')}"))
            yield f"\n`{tool}` `{json.dumps(arguments)}`\n\n```\n{answer}\n```\n"
    yield "\n"


def _shown(text: str) -> Iterator[str]:
    lines = text.splitlines()
    for line in lines[:MOST_LINES]:
        yield line if len(line) <= WIDTH else f"{line[:WIDTH]} ..."
    if len(lines) > MOST_LINES:
        yield f"... {len(lines) - MOST_LINES} more lines"


if __name__ == "__main__":
    main()
