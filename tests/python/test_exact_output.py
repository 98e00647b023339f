"""Test that CSV and JSON hold the values of the warehouse, to the last digit."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from poolhouse.command_line.main import main
from poolhouse.warehouse.file import Warehouse

# Each example runs a command for eight values: that takes as long as for one.
few = settings(max_examples=settings().max_examples // 20)
Strategy = st.SearchStrategy[Any]


def several(strategy: Strategy) -> Strategy:
    return st.lists(strategy, min_size=8, max_size=8)


def printed(warehouse: Path, values: Sequence[str], output: str) -> str:
    query = f"select {', '.join(f'{value} as x{n}' for n, value in enumerate(values))}, 1 as y"
    arguments = ["sql", query, "--db", str(warehouse), "--format", output]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    # `stdout` would have "\n" for the "\r\n" within a text.
    return done.stdout_bytes.decode()


def in_json(warehouse: Path, values: Sequence[str]) -> list[Any]:
    [row] = json.loads(printed(warehouse, values, "json"), parse_float=Decimal)
    return list(row.values())[:-1]


def in_csv(warehouse: Path, values: Sequence[str]) -> list[str]:
    _, row = csv.reader(io.StringIO(printed(warehouse, values, "csv"), newline=""))
    return row[:-1]


@pytest.fixture(scope="module")
def file(loaded_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(copyfile(loaded_once, tmp_path_factory.mktemp("exact") / "poolhouse.duckdb"))


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


# Value, and how JSON and CSV have it.
VALUES: list[tuple[str, object, str]] = [
    (
        "12345678901234567890123456789.5::decimal(38, 1)",
        Decimal("12345678901234567890123456789.5"),
        "12345678901234567890123456789.5",
    ),
    ("0::decimal(20, 10)", Decimal("0E-10"), "0.0000000000"),
    ("1.50::decimal(4, 2)", Decimal("1.50"), "1.50"),
    ("(-170141183460469231731687303715884105728)::hugeint", -(2**127), str(-(2**127))),
    ("340282366920938463463374607431768211455::uhugeint", 2**128 - 1, str(2**128 - 1)),
    ("date '9999-12-31'", "9999-12-31", "9999-12-31"),
    ("date '0001-01-01'", "0001-01-01", "0001-01-01"),
    (
        "'9999-12-31 23:59:59.999999'::timestamp",
        "9999-12-31T23:59:59.999999",
        "9999-12-31 23:59:59.999999",
    ),
    ("timestamp '2020-01-02 03:04:05'", "2020-01-02T03:04:05", "2020-01-02 03:04:05"),
    ("interval '2 days 1 hour'", "2 days, 1:00:00", "2 days, 1:00:00"),
    ("time '10:00:00.5'", "10:00:00.500000", "10:00:00.500000"),
    (
        """{'a "b': map {1: [timestamp '2020-01-02 03:04:05']}, 'c': 0.10::decimal(3, 2)}""",
        {'a "b': {"1": ["2020-01-02T03:04:05"]}, "c": Decimal("0.10")},
        '{"a \\"b": {"1": ["2020-01-02T03:04:05"]}, "c": 0.10}',
    ),
    ("['inf'::double, null]", [None, None], "[null, null]"),
    ("""'{"d": [1.50]}'::json""", {"d": [Decimal("1.50")]}, '{"d": [1.50]}'),
    ("null::json", None, ""),
    ("array_value(date '2020-01-02')", ["2020-01-02"], '["2020-01-02"]'),
    ("null::date[]", None, ""),
    ("'+KyKYx8cwTca'", "+KyKYx8cwTca", "+KyKYx8cwTca"),
]


def test_a_value_is_printed_as_it_is(file: Path) -> None:
    values = [value for value, *_ in VALUES]
    assert dict(zip(values, in_json(file, values), strict=True)) == {
        value: as_json for value, as_json, _ in VALUES
    }
    assert dict(zip(values, in_csv(file, values), strict=True)) == {
        value: as_csv for value, _, as_csv in VALUES
    }


@pytest.mark.heavy
@few
@given(several(st.floats(allow_nan=False, allow_infinity=False)))
def test_a_float_comes_back(file: Path, numbers: list[float]) -> None:
    values = [f"'{number!r}'::double" for number in numbers]
    assert list(map(float, in_json(file, values))) == numbers
    assert list(map(float, in_csv(file, values))) == numbers


@pytest.mark.heavy
@few
@given(
    several(
        st.decimals(
            allow_nan=False, allow_infinity=False, places=9, min_value=-(10**28), max_value=10**28
        )
    )
)
def test_a_decimal_comes_back(file: Path, numbers: list[Decimal]) -> None:
    values = [f"'{number:f}'::decimal(38, 9)" for number in numbers]
    assert in_json(file, values) == numbers
    assert in_csv(file, values) == [f"{number:f}" for number in numbers]


@pytest.mark.heavy
@few
@given(several(st.integers(-(2**127), 2**127 - 1)))
def test_an_integer_comes_back(file: Path, numbers: list[int]) -> None:
    values = [f"({number})::hugeint" for number in numbers]
    assert in_json(file, values) == numbers
    assert in_csv(file, values) == list(map(str, numbers))


@few
@given(several(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
def test_a_text_comes_back(file: Path, texts: list[str]) -> None:
    values = ["'{}'".format(text.replace("'", "''")) for text in texts]
    assert in_json(file, values) == texts
    assert in_csv(file, values) == texts


# The values are from the whole range that Python can hold.
@pytest.mark.heavy
@few
@given(several(st.integers(-719_162, 2_932_896)))
def test_a_date_comes_back(
    file: Path, engine: duckdb.DuckDBPyConnection, numbers: list[int]
) -> None:
    texts = asked(engine, "(date '1970-01-01' + $1::integer)::varchar", numbers)
    values = [f"'{text}'::date" for text in texts]
    assert in_csv(file, values) == texts
    assert in_json(file, values) == texts
    assert in_json(file, [f"[{value}]" for value in values]) == [[text] for text in texts]


@pytest.mark.heavy
@few
@given(several(st.integers(-(62 * 10**15), 253 * 10**15)))
def test_a_timestamp_comes_back(
    file: Path, engine: duckdb.DuckDBPyConnection, microseconds: list[int]
) -> None:
    texts = asked(engine, "make_timestamp($1::bigint)::varchar", microseconds)
    values = [f"'{text}'::timestamp" for text in texts]
    for shown in (in_csv(file, values), in_json(file, values)):
        assert asked(engine, "epoch_us($1::timestamp)", shown) == microseconds


def asked(engine: duckdb.DuckDBPyConnection, expression: str, values: list[Any]) -> list[Any]:
    return [engine.execute(f"select {expression}", [value]).fetchall()[0][0] for value in values]


# ----------------------------------------------------------------------------------- a terminal

CODES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


def on_a_terminal(arguments: list[str]) -> str:
    """Run a command whose standard output is a terminal, and return its output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "poolhouse", *arguments], stdout=theirs, stderr=subprocess.PIPE
    ) as process:
        os.close(theirs)
        parts = []
        with suppress(OSError):  # the other end of the terminal is closed
            while part := os.read(ours, 65536):
                parts.append(part)
        os.close(ours)
        assert process.stderr
        assert (process.wait(), process.stderr.read()) == (0, b"")
    return b"".join(parts).decode()


@pytest.mark.some(1)
@pytest.mark.parametrize("output", ["csv", "json", "table"])
def test_a_terminal_gets_nothing_that_it_would_obey(file: Path, output: str) -> None:
    query = f"select '{CODES}' as \"{CODES}\", ['{CODES}'] as l, {{'{CODES}': 1}} as s, 'a' as a"
    arguments = ["sql", query, "--db", str(file), "--format", output]
    shown = on_a_terminal(arguments)
    # Rich colours its tables: these codes are allowed.
    own = re.compile(r"\x1b\[[\d;]*m") if output == "table" else re.compile(r"(?!)")
    assert not set(own.sub("", shown)) & set("\x1b\x07\x9b\u202e")
    assert "owned" in shown


def test_a_pipe_gets_csv_as_it_is(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "poolhouse", "sql", f"select '{CODES}' as x", "--format", "csv"],
        env={**os.environ, "POOLHOUSE_DB": str(Warehouse(file).path)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == f"x\n{CODES}\n"
