"""Test the limits of a query's time and memory: one line names the limit and the remedy."""

import time

import pytest
from click.testing import CliRunner, Result

from poolhouse.command_line.main import main
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.memory import limit_in_bytes

ENDLESS = "select count(*) from range(10000000) a, range(10000000) b where a.range + b.range = 5"


def sql(warehouse: Warehouse, query: str, *options: str, memory: str | None = None) -> Result:
    runner = CliRunner(env={"POOLHOUSE_MEMORY": memory})
    return runner.invoke(main, ["sql", query, "--db", str(warehouse.path), *options])


def test_a_query_has_as_much_time_as_it_is_given(loaded: Warehouse) -> None:
    started = time.monotonic()
    done = sql(loaded, ENDLESS, "--timeout", "0.5")
    assert time.monotonic() - started < 2.5
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: the query took longer than 0.5 s: give it more time (--timeout), or ask for less\n"
    )
    assert sql(loaded, "select 1", "--timeout", "60").exit_code == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "soon"])
def test_a_time_that_is_none_is_wrong_usage(loaded: Warehouse, seconds: str) -> None:
    assert sql(loaded, "select 1", "--timeout", seconds).exit_code == 2


# The limit is hit in the engine: where it would spill, in its operators, and in the rows of the
# result, which Python makes slowly.
@pytest.mark.heavy
@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("select count(distinct range) from range(1000000000)", "200MB"),
        ("select max(r) from (select range r from range(1000000000) order by hash(r))", "200MB"),
        ("select len(list(range)) from range(1000000000)", "200MB"),
        ("select range, hash(range) from range(3000000000)", "30MB"),
    ],
)
def test_a_query_has_as_much_memory_as_a_build(loaded: Warehouse, query: str, memory: str) -> None:
    done = sql(loaded, query, memory=memory)
    assert done.exit_code == 1, done.output
    (line,) = done.stderr.splitlines()
    assert line.endswith(
        f"needs more than {memory} of memory: ask for less at a time, or allow more memory "
        "(environment variable POOLHOUSE_MEMORY)"
    )


@pytest.mark.heavy
def test_a_query_can_have_a_limit_of_its_own(loaded: Warehouse) -> None:
    query = "select count(distinct range) from range(1000000000)"
    done = sql(loaded, query, "--memory", "200MB")
    assert done.exit_code == 1
    assert "needs more than 200MB of memory" in done.stderr
    assert limit_in_bytes() > 200_000_000
    refused = sql(loaded, "select 1", "--memory", "much")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: --memory is 'much': it must be a size")


def test_the_limit_is_that_of_builds(loaded: Warehouse) -> None:
    with loaded.read() as connection:
        [(limit,)] = connection.execute("select current_setting('memory_limit')").fetchall()
    assert limit == "2.7 GiB"  # 3GB in the engine's unit
    assert limit_in_bytes() == 3 * 1000**3


@pytest.mark.parametrize("value", ["lots", "3", "-1", "80%", "0GB", "1e9GB", "3 GB'"])
@pytest.mark.parametrize("command", ["sql", "status", "build"])
def test_a_limit_that_is_no_size_is_named(loaded: Warehouse, command: str, value: str) -> None:
    arguments = [command, *(["select 1"] if command == "sql" else []), "--db", str(loaded.path)]
    done = CliRunner(env={"POOLHOUSE_MEMORY": value}).invoke(main, arguments)
    assert done.exit_code == 1
    said = f"POOLHOUSE_MEMORY is {value!r}: it must be a size, such as 3GB or 500MB"
    assert done.stderr == f"Error: {said}\n"


@pytest.mark.parametrize(
    ("value", "n_bytes"), [("500MB", 500e6), ("1.5 GiB", 1.5 * 1024**3), ("2tb", 2e12), ("", 3e9)]
)
def test_sizes(monkeypatch: pytest.MonkeyPatch, value: str, n_bytes: float) -> None:
    monkeypatch.setenv("POOLHOUSE_MEMORY", value)
    assert limit_in_bytes() == n_bytes
