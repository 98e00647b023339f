"""Test the server for agents: its tools by a client in this process, and its end by real ones."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from attrs import evolve

from conftest import OF_DEV, names_beside, state_of
from every_command import write_run
from hostile_statements import ALL
from page import write_collection
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import entries, entry_named
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.mcp_server.answers import MOST_CHARACTERS, Answer, text_of
from poolhouse.mcp_server.source import Folder, Source
from poolhouse.mcp_server.tables import describe_table
from poolhouse.mcp_server.tools import tools_over
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

mcp = pytest.importorskip("mcp", reason=OF_DEV)
import anyio  # noqa: E402 - it comes with the SDK
from anyio.from_thread import start_blocking_portal  # noqa: E402

from poolhouse.mcp_server.serving import server_of  # noqa: E402

COMMAND = [sys.executable, "-m", "poolhouse", "mcp"]
ENDLESS = "select count(*) from range(10000000) a, range(10000000) b where a.range + b.range = 5"

# Calls a tool, and returns whether it failed, and its text.
Call = Callable[..., tuple[bool, str]]


@contextmanager
def asking(source: Source, seconds: float = 60) -> Iterator[Call]:
    """Connect a client of the SDK to a server in this process."""
    with start_blocking_portal() as portal:
        client = mcp.Client(server_of(source, seconds))
        with portal.wrap_async_context_manager(client):

            def call(name: str, **arguments: object) -> tuple[bool, str]:
                result = portal.call(client.call_tool, name, arguments)
                [content] = result.content
                return result.is_error, content.text

            yield call


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Provide a folder with a run that is not loaded, and with links out of the folder."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("1 Q0 d1 1 3 t\n")
    folder = tmp_path_factory.mktemp("runs")
    (folder / "more").mkdir()
    write_run(folder)
    write_run(folder / "more")
    (folder / "inner").symlink_to("new")
    (folder / "link").symlink_to(outside / "secret")
    (folder / "links").symlink_to(outside)
    os.mkfifo(folder / "pipe")
    return Folder.at(folder)


@pytest.fixture(scope="module")
def call(page: Warehouse, runs: Folder) -> Iterator[Call]:
    with asking(Source(page, runs)) as connected:
        yield connected


def rows_of(answered: tuple[bool, str]) -> list[dict[str, Any]]:
    is_error, text = answered
    assert not is_error, text
    found = json.loads(text)
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def error_of(answered: tuple[bool, str]) -> str:
    is_error, text = answered
    assert is_error
    assert len(text.splitlines()) == 1
    return text


# ------------------------------------------------------------------------------------------- tools


def test_tools_of_files_are_there_with_a_folder(page: Warehouse, runs: Folder) -> None:
    of_files = tools_over(Source(page, runs)).keys() - tools_over(Source(page)).keys()
    assert of_files == {"list_files", "adjust_run"}


def test_a_collection_has_its_verdict(page: Warehouse, call: Call) -> None:
    [found] = rows_of(call("list_collections"))
    asked = "select collection_id, verdict, verdict_reasons from audit_collections"
    [verdict] = run_query(page, asked).rows
    assert list(found.values())[:3] == list(verdict)


def test_tables_are_described_as_in_the_warehouse(page: Warehouse, call: Call) -> None:
    """The plan, the comments of the warehouse and an export have one source."""
    rows = run_query(
        page,
        "select schema_name, table_name, column_name, comment from duckdb_columns() "
        "where not internal and schema_name in ('main', 'audits', 'experiments') "
        "and table_name in (select view_name from duckdb_views()) order by column_index",
    ).rows
    marts: dict[str, list[object]] = {}
    for schema, table, *column in rows:
        marts.setdefault(f"{schema}.{table}".removeprefix("main."), []).append(column)
    assert len(marts) > 50
    for mart, columns in marts.items():
        described = describe_table(Source(page), mart)
        assert [[name, comment] for name, _, comment in described.rows] == columns
    notes = json.loads(call("describe_table", table="main.fct_run_scores")[1])["notes"]
    assert notes[0].startswith("One row per collection, run, judgement set")
    assert notes[1] == "key: collection_id, run_id, judgement_set, unjudged, measure"
    assert notes[2].startswith("filter on one value of, or group by: judgement_set, unjudged, mea")
    assert "from run_scores(collection, asked" in call("describe_table", table="run_scores")[1]
    assert error_of(call("describe_table", table="leaderbord")).endswith("mean 'leaderboard'?")
    assert "no public table" in error_of(call("describe_table", table="int_runs"))


def test_words_find_tables_and_columns(call: Call) -> None:
    found = rows_of(call("search_tables", words="Kendall tau of two orders"))
    assert {"audits.pooling_orders", "fct_estimator_errors"} & {each["table"] for each in found}
    assert ("leaderboard", "unjudged_10") in {
        (each["table"], each["column"])
        for each in rows_of(call("search_tables", words="unjudged_10"))
    }
    assert "try the words" in call("search_tables", words="xyzzy")[1]


def test_questions_have_the_answers_of_the_cookbook(page: Warehouse, call: Call) -> None:
    assert [each["name"] for each in rows_of(call("list_questions"))] == [e.name for e in entries()]
    entry = entry_named("run_by_topic")
    is_error, text = call("answer_question", question=entry.name, run_id="a2")
    expected = answer(page, entry, {"run_id": "a2"})
    assert not is_error
    assert text == text_of(Answer(expected.columns, expected.rows, [entry.question, entry.notes]))
    assert len(json.loads(text)["rows"]) == len(expected.rows) > 0
    refused = call("answer_question", question=entry.name, values={"alpha": 1})
    assert "has no parameter 'alpha'; it has collection, run_id" in error_of(refused)


@pytest.mark.heavy
def test_runs_are_scored_compared_and_adjusted(page: Warehouse, call: Call) -> None:
    asked = {"collection": "page", "runs": ["a2", "more/new"], "measures": ["P@2"]}
    found = rows_of(call("score_runs", **asked))
    [(score,)] = score_runs(page, "page", ["a2"], ["P@2"]).over_topics.select("score").rows()
    assert [(each["run_id"], each["score"]) for each in found] == [("a2", score), ("new", 0.5)]
    is_error, compared = call("compare_runs", **asked, baseline=["more/new"])
    assert not is_error
    assert json.loads(compared)["notes"][0].startswith("P@2: ")
    is_error, adjusted = call("adjust_run", collection="page", run="new")
    assert not is_error
    assert {"measure", "possible", "if judged"} <= set(json.loads(adjusted)["columns"])
    estimates = rows_of(call("adjust_run", collection="page", run="new", all_estimates=True))
    assert {"unadjusted", "lipani"} <= {each["estimator"] for each in estimates}


# ---------------------------------------------------------------------- what it refuses, and limits


@pytest.mark.some(12)
@pytest.mark.parametrize("statement", ALL)
def test_no_statement_leaves_the_warehouse(page: Warehouse, call: Call, statement: str) -> None:
    folder = page.path.parent
    places = {"secret": folder / "page" / "qrels.txt", "other": folder / "other.duckdb"}
    before, names = state_of(page.path), names_beside(page)
    query = statement.format(folder=folder, path=page.path, **places)
    assert "1 0 d1" not in error_of(call("run_sql", query=query))
    assert state_of(page.path) == before
    assert names_beside(page) == names


@pytest.mark.parametrize(
    "name", ["../outside0/secret", "link", "links/secret", "/etc/hostname", "pipe", ".", "", "a\0b"]
)
def test_no_file_outside_of_the_folder_is_read(call: Call, runs: Folder, name: str) -> None:
    for tool, argument in (("score_runs", {"runs": [name]}), ("adjust_run", {"run": name})):
        said = error_of(call(tool, collection="page", **argument))
        assert said.startswith(repr(name)) or said.startswith(f"no file {name!r} in the folder")
    assert runs.names() == ["inner", "more/new", "new"]
    assert runs.file("inner") == runs.path / "new"


def test_rows_that_are_left_out_are_counted(call: Call) -> None:
    def told(query: str) -> tuple[int, str]:
        found = json.loads(call("run_sql", query=query)[1])
        return len(found["rows"]), " ".join(found.get("notes", []))

    assert told("from range(200)") == (200, "")
    n_rows, note = told("from range(10000) order by 1 desc")
    assert (n_rows, "and 9800 more are left out" in note) == (200, True)
    n_rows, note = told("from range(100000000)")
    assert (n_rows, "and at least 9801 more are left out" in note) == (200, True)
    n_rows, note = told("select repeat('x', 1900) from range(50)")
    assert (n_rows, "and 30 more are left out" in note) == (20, True)
    assert json.loads(call("run_sql", query="select [1 / 3.0::double]")[1])["rows"] == [
        [[0.3333333333]]
    ]
    assert "and 3000 more characters" in call("run_sql", query="select repeat('x', 5000)")[1]


def test_an_answer_is_short_whatever_is_long(call: Call) -> None:
    def length(query: str) -> int:
        return len(call("run_sql", query=query)[1])

    assert length(f"select '{'x' * 100_000}'") < MOST_CHARACTERS
    assert length(f'select 1 as "{"y" * 100_000}"') < MOST_CHARACTERS
    assert length("select repeat('z', 500) as z from range(200)") <= MOST_CHARACTERS
    columns = ", ".join(f"1 as column_{number}" for number in range(5000))
    refused = error_of(call("run_sql", query=f"select {columns}"))
    assert refused == "5000 columns are too many: name fewer"
    words = error_of(call("search_tables", words=" ".join(map(str, range(20_000)))))
    assert words == "20000 words are too many: give 40 or fewer"
    assert len(error_of(call("describe_table", table="x" * 100_000))) < MOST_CHARACTERS


def test_files_of_the_folder_are_counted(page: Warehouse, tmp_path: Path) -> None:
    for number in range(1100):
        (tmp_path / f"{number}.run").touch()
    with asking(Source(page, Folder.at(tmp_path))) as call:
        found = json.loads(call("list_files")[1])
    assert len(found["rows"]) == 1000
    assert "and 100 more are left out" in found["notes"][0]


def test_time_is_limited(page: Warehouse) -> None:
    with asking(Source(page), seconds=0.5) as call:
        started = time.monotonic()
        said = error_of(call("run_sql", query=ENDLESS))
        assert time.monotonic() - started < 10
        assert said.startswith("the answer took longer than 0.5 s: ask for less, or")
        assert rows_of(call("run_sql", query="select 1 as one")) == [{"one": 1}]


def test_a_cancelled_request_ends_its_query(page: Warehouse) -> None:
    assert anyio.run(answer_after_cancelling, server_of(Source(page), 600))


async def answer_after_cancelling(server: Any) -> bool:  # noqa: ANN401 - a server or an address
    """Cancel an endless query, and return whether another one, which waits for it, is answered."""
    async with mcp.Client(server) as client:
        with anyio.move_on_after(0.5):
            await client.call_tool("run_sql", {"query": ENDLESS})
        with anyio.fail_after(20):
            result = await client.call_tool("run_sql", {"query": "select 1 as one"})
        return not result.is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("run_sql", {}, "run_sql: 'query' is a required property (its arguments: query)"),
        (
            "run_sql",
            {"query": 5},
            "run_sql: query: 5 is not of type 'string' (its arguments: query)",
        ),
        ("run_sql", {"query": "select 1", "db": "x"}, "'db' was unexpected"),
        ("run_sqls", {}, "there is no tool 'run_sqls'; did you mean 'run_sql'?"),
        ("run_sql", {"query": "from leaderbord"}, 'Did you mean "leaderboard'),
        ("score_runs", {"collection": "pag", "runs": ["a1"]}, "did you mean 'page'?"),
        ("score_runs", {"collection": "page", "runs": []}, "name a run to score"),
        ("compare_runs", {"collection": "page", "runs": ["a1"], "measures": ["AP"]}, "two runs"),
    ],
)
def test_an_error_is_one_line_with_the_remedy(
    call: Call, tool: str, arguments: Mapping[str, object], said: str
) -> None:
    assert said in error_of(call(tool, **arguments))


def test_without_a_folder_no_file_is_read(page: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match=r"'new' is no run of 'page'; to read .* --folder$"):
        tools_over(Source(page))["score_runs"].answer(collection="page", runs=["new"])


def test_nothing_is_a_control_code(call: Call) -> None:
    query = "select chr(27) || '[31m' || chr(155) || chr(8238) as odd, [chr(7)] as \"a\x1b\""
    is_error, text = call("run_sql", query=query)
    assert not is_error
    assert text.replace("\n", "").isprintable()
    assert json.loads(text)["rows"] == [["\x1b[31m\x9b\u202e", ["\x07"]]]
    assert error_of(call("run_sql", query='select "\x1b[31m"')).isprintable()
    assert text_of(Answer(("a",), [], ["\x9b"])).replace("\n", "").isprintable()


def test_a_new_build_is_seen_by_the_next_question(page: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    with asking(Source(warehouse)) as call:
        assert "no warehouse here; load a collection" in error_of(call("list_collections"))
        copyfile(page.path, warehouse.path)
        assert [each["collection_id"] for each in rows_of(call("list_collections"))] == ["page"]
        request = write_collection(tmp_path / "other")
        load_collection(warehouse, evolve(request, collection="other"))
        is_error, text = call("list_collections")
        assert not is_error
        assert "collection 'other' is not built yet: run poolhouse build" in text


# ----------------------------------------------------------------------------------- real processes


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# A client that starts the server, asks an endless question, and waits.
_CLIENT = f"""
import json, subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def send(**what):
    server.stdin.write(json.dumps({{"jsonrpc": "2.0", **what}}) + "\\n")
    server.stdin.flush()
about = {{"protocolVersion": "2025-06-18", "capabilities": {{}},
         "clientInfo": {{"name": "client", "version": "1"}}}}
send(id=1, method="initialize", params=about)
server.stdout.readline()
send(method="notifications/initialized")
send(id=2, method="tools/call", params={{"name": "run_sql", "arguments": {{"query": "select 1"}}}})
assert "rows" in server.stdout.readline()
send(id=3, method="tools/call", params={{"name": "run_sql", "arguments": {{"query": "{ENDLESS}"}}}})
print(server.pid, flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "end",
    [
        "client",
        *(
            pytest.param(each, marks=pytest.mark.heavy)
            for each in ("stdin", signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        ),
    ],
)
def test_the_server_ends_with_its_client(
    page: Warehouse, tmp_path: Path, end: str | signal.Signals
) -> None:
    """A client is killed, or ends, or sends a signal, while a query runs."""
    file = copyfile(page.path, tmp_path / "poolhouse.duckdb")
    client = subprocess.Popen(
        [sys.executable, "-c", _CLIENT, *COMMAND, "--db", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert client.stdin
    assert client.stdout
    with client:
        server = int(client.stdout.readline())
        time.sleep(0.5)  # the query has begun
        assert is_alive(server)
        if isinstance(end, signal.Signals):
            os.kill(server, end)
        elif end == "stdin":
            client.stdin.close()  # the client ends
        else:
            client.kill()
        last = time.monotonic() + 20
        while is_alive(server):
            assert time.monotonic() < last
            time.sleep(0.05)


@pytest.mark.heavy
def test_by_http_on_this_machine_alone(page: Warehouse, tmp_path: Path) -> None:
    file = copyfile(page.path, tmp_path / "poolhouse.duckdb")
    server = subprocess.Popen(
        [*COMMAND, "--http", "0", "--db", str(file)], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr
    with server:
        address = server.stderr.readline().strip()
        port = int(address.removeprefix("http://127.0.0.1:").removesuffix("/mcp"))
        assert anyio.run(answer_after_cancelling, address)
        assert status_of(port, f"127.0.0.1:{port}") == 200
        assert status_of(port, f"localhost:{port}", f"http://localhost:{port}") == 200
        assert status_of(port, f"example.com:{port}") == 421  # after DNS rebinding
        assert status_of(port, f"127.0.0.1:{port}", "http://example.com") == 403
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 1
        assert server.stderr.read().strip() == "Aborted!"


def status_of(port: int, host: str, origin: str | None = None) -> int:
    """Return the status with which a request of this host and origin is answered."""
    about = {"name": "client", "version": "1"}
    parameters = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}
    headers = {
        "Host": host,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **({"Origin": origin} if origin else {}),
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/mcp", json.dumps(asked), headers)
    return connection.getresponse().status


_IMPORTED = """
import sys
from pathlib import Path
from poolhouse.mcp_server.serving import server_of
from poolhouse.mcp_server.source import Source
from poolhouse.warehouse.file import Warehouse

server_of(Source(Warehouse(Path("x"))), 1)
print({"polars", "scipy", "pandas", "jsonschema", "yaml", "dbt"} & set(sys.modules))
"""


@pytest.mark.heavy
def test_a_first_answer_waits_for_no_frames_and_no_statistics() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
