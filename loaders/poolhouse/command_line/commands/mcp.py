"""`poolhouse mcp`."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import examples, memory_option, source_option

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Answer agents by the Model Context Protocol.",
    epilog=examples("mcp", "mcp --folder runs", "mcp --http 8765"),
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of run files that agents may score, adjust and compare. They reach no other "
    "file.",
)
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve on this port of the loopback interface, instead of the standard streams; 0 takes "
    "a free one.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    default=60,
    show_default=True,
    help="End an answer that takes longer.",
)
@memory_option
@source_option
def mcp(folder: Path | None, port: int | None, timeout: float, warehouse: "Warehouse") -> None:
    """Answer agents that ask about a warehouse or a lake, by the Model Context Protocol.

    A client, such as an assistant or an editor, starts this command, and speaks with it on the
    standard streams. The tools only read: they list collections with their verdicts, find and
    describe tables, run SQL, answer the questions of the cookbook, and score, adjust and compare
    runs. The command ends with its client. It needs pip install 'poolhouse[mcp]'.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.signals import end_at_signals
    from poolhouse.errors import PoolhouseError
    from poolhouse.mcp_server.source import Folder, Source

    if find_spec("mcp") is None:
        raise PoolhouseError("the SDK is not installed: pip install 'poolhouse[mcp]'")
    from poolhouse.mcp_server.serving import serve_http, serve_stdio

    source = Source(warehouse, Folder.at(folder) if folder else None)
    end_at_signals()  # nothing is to be cleared up
    if port is None:
        serve_stdio(source, timeout)
    else:
        serve_http(source, timeout, port, console.remark)
