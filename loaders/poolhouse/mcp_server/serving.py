"""The server: the protocol is the SDK's. It ends with its client, and a query with its request."""

import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from threading import Event, Timer
from typing import Any, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool

from poolhouse import __version__
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.mcp_server.answers import shortened, text_of
from poolhouse.mcp_server.source import Source
from poolhouse.mcp_server.tools import Tool, described, tools_over
from poolhouse.output.printable import one_line
from poolhouse.warehouse.limits import Limit, limited, time_limit

LOOPBACK = "127.0.0.1"
# Work that a client has left ends within this time, or with the process.
_SECONDS_TO_END = 1.3


def serve_stdio(source: Source, seconds: float) -> None:
    """Answer the client on the standard streams until it closes one of them."""
    # A thread that computes without the engine would outlive the client.
    last = Timer(_SECONDS_TO_END, os._exit, [0])
    last.daemon = True

    async def lines() -> AsyncIterator[str]:
        text = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        try:
            # Nobody can end a thread that waits for a line.
            while line := await anyio.to_thread.run_sync(text.readline, abandon_on_cancel=True):
                yield line
        finally:
            text.detach()
        last.start()

    async def serve() -> None:
        server = server_of(source, seconds)
        async with stdio_server(cast("Any", lines())) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        with _quiet():
            anyio.run(serve)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client no longer listens
    finally:
        last.cancel()


def serve_http(source: Source, seconds: float, port: int, tell: Callable[[str], None]) -> None:
    """Answer clients on this machine by HTTP until a signal ends the process.

    The SDK refuses requests whose host or origin is another one, as after DNS rebinding. `tell`
    hears the address. Raise PoolhouseError where the port is taken.
    """
    import uvicorn  # noqa: PLC0415 - most servers are on the standard streams

    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise PoolhouseError(f"port {port}: {error.strerror}: name another one") from error
    app = server_of(source, seconds).streamable_http_app(host=LOOPBACK)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    tell(f"http://{LOOPBACK}:{listening.getsockname()[1]}/mcp")
    with listening, _quiet():
        server = uvicorn.Server(config)
        server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]  # ours end it
        anyio.run(server.serve, [listening])


@contextmanager
def _quiet() -> Iterator[None]:
    """Log nothing: a log has texts of clients, and standard error may be a terminal."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def server_of(source: Source, seconds: float) -> Server[Any]:
    """Return a server that has the tools; an answer takes at most so many seconds."""
    known = tools_over(source)
    # Connections of a process share the file that the first one opened, and it may be replaced.
    one_by_one = anyio.CapacityLimiter(1)

    async def listed(_context: object, _parameters: object) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in known.values()])

    async def called(_context: object, asked: Any) -> CallToolResult:  # noqa: ANN401 - of the SDK
        is_over = Event()

        def answered() -> CallToolResult:
            limits = _time_limit(seconds), lambda: "cancelled" if is_over.is_set() else ""
            try:
                with limited(*limits):
                    return _result(_text(known, asked.name, asked.arguments or {}))
            except PoolhouseError as error:
                problem = str(error)
            except Exception as error:
                problem = f"{asked.name} failed: {type(error).__name__}: {error}"
            return _result(str(shortened(one_line(problem))), is_error=True)

        async def end_with_request() -> None:
            try:
                await anyio.sleep_forever()
            finally:
                is_over.set()

        async with anyio.create_task_group() as group:
            group.start_soon(end_with_request)
            # The thread is not abandoned: its query is ended.
            result = await anyio.to_thread.run_sync(answered, limiter=one_by_one)
            group.cancel_scope.cancel()
        return result

    return Server(
        "poolhouse",
        version=__version__,
        instructions=described()["instructions"],
        on_list_tools=listed,
        on_call_tool=called,
        get_tool_input_schema=lambda name: known[name].schema if name in known else None,
    )


def _listed(tool: Tool) -> ListedTool:
    hints = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ListedTool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.schema),
        annotations=hints,
    )


def _result(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def _text(known: dict[str, Tool], name: str, given: dict[str, Any]) -> str:
    if name not in known:
        raise PoolhouseError(f"there is no tool {name!r}{did_you_mean(name, known)}")
    return text_of(known[name].answer(**given))


def _time_limit(seconds: float) -> Limit:
    advice = "ask for less, or have the server started with more time (--timeout)"
    return time_limit(seconds, f"the answer took longer than {seconds:g} s: {advice}")
