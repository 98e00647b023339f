"""Test that CSV and JSON hold the values of the warehouse, to the last digit."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
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

# Each example runs a command.
few = settings(max_examples=settings().max_examples * 2 // 5)


def printed(warehouse: Path, value: str, output: str) -> str:
    query = f"select {value} as x, 1 as y"
    arguments = ["sql", query, "--db", str(warehouse), "--format", output]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    # `stdout` would have "\n" for the "\r\n" within a text.
    return done.stdout_bytes.decode()


def in_json(warehouse: Path, value: str) -> Any:  # noqa: ANN401 - whatever JSON has
    [row] = json.loads(printed(warehouse, value, "json"), parse_float=Decimal)
    return row["x"]


def in_csv(warehouse: Path, value: str) -> str:
    _, [cell, _] = csv.reader(io.StringIO(printed(warehouse, value, "csv"), newline=""))
    return cell


@pytest.fixture(scope="module")
def file(loaded_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(copyfile(loaded_once, tmp_path_factory.mktemp("exact") / "poolhouse.duckdb"))


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


@pytest.mark.some(9)
@pytest.mark.parametrize(
    ("value", "as_json", "as_csv"),
    [
        (
            "12345678901234567890123456789.5::decimal(38, 1)",
            Decimal("12345678901234567890123456789.5"),
            "12345678901234567890123456789.5",
        ),
        ("0::decimal(20, 10)", Decimal("0E-10"), "0.0000000000"),
        ("1.50::decimal(4, 2)", Decimal("1.50"), "1.50"),
        ("(-170141183460469231731687303715884105728)::hugeint", -(2**127), str(-(2**127))),
        ("340282366920938463463374607431768211455::uhugeint", 2**128 - 1, str(2**128 - 1)),
        ("'infinity'::timestamp", "infinity", "infinity"),
        ("'-infinity'::timestamp", "-infinity", "-infinity"),
        ("'infinity'::timestamptz", "infinity", "infinity"),
        ("'infinity'::date", "infinity", "infinity"),
        ("'-infinity'::date", "-infinity", "-infinity"),
        ("date '9999-12-31'", "9999-12-31", "9999-12-31"),
        ("date '0001-01-01'", "0001-01-01", "0001-01-01"),
        (
            "'9999-12-31 23:59:59.999999'::timestamp",
            "9999-12-31T23:59:59.999999",
            "9999-12-31 23:59:59.999999",
        ),
        ("date '0044-03-15 (BC)'", "0044-03-15 (BC)", "0044-03-15 (BC)"),
        ("date '12345-06-07'", "12345-06-07", "12345-06-07"),
        ("timestamp '2020-01-02 03:04:05'", "2020-01-02T03:04:05", "2020-01-02 03:04:05"),
        (
            "'2020-01-02 03:04:05.123456789'::timestamp_ns",
            "2020-01-02 03:04:05.123456789",
            "2020-01-02 03:04:05.123456789",
        ),
        ("interval '1 month 2 days'", "1 month 2 days", "1 month 2 days"),
        ("time '24:00:00'", "24:00:00", "24:00:00"),
        ("time '10:00:00.5'", "10:00:00.500000", "10:00:00.500000"),
        ("['infinity'::date, null]", ["infinity", None], '["infinity", null]'),
        (
            """{'a "b': map {1: [timestamp '-infinity']}, 'c': 0.10::decimal(3, 2)}""",
            {'a "b': {"1": ["-infinity"]}, "c": Decimal("0.10")},
            '{"a \\"b": {"1": ["-infinity"]}, "c": 0.1}',
        ),
        (
            "[{'a': interval '1 month', 'b': 'inf'::double, 'c': '{\"d\": [1.50]}'::json}]",
            [{"a": "1 month", "b": None, "c": {"d": [Decimal("1.50")]}}],
            '[{"a": "1 month", "b": null, "c": {"d": [1.5]}}]',
        ),
        ("array_value(date '2020-01-02')", ["2020-01-02"], '["2020-01-02"]'),
        ("null::date[]", None, ""),
        ("'+KyKYx8cwTca'", "+KyKYx8cwTca", "+KyKYx8cwTca"),
    ],
)
def test_a_value_is_printed_as_it_is(file: Path, value: str, as_json: object, as_csv: str) -> None:
    assert in_json(file, value) == as_json
    assert in_csv(file, value) == as_csv


@pytest.mark.heavy
@few
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_comes_back(file: Path, number: float) -> None:
    value = f"'{number!r}'::double"
    assert float(in_json(file, value)) == number
    assert float(in_csv(file, value)) == number


@pytest.mark.heavy
@few
@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=9, min_value=-(10**28), max_value=10**28
    )
)
def test_a_decimal_comes_back(file: Path, number: Decimal) -> None:
    value = f"'{number:f}'::decimal(38, 9)"
    assert in_json(file, value) == number
    assert in_csv(file, value) == f"{number:f}"


@pytest.mark.heavy
@few
@given(st.integers(-(2**127), 2**127 - 1))
def test_an_integer_comes_back(file: Path, number: int) -> None:
    assert in_json(file, f"({number})::hugeint") == number
    assert in_csv(file, f"({number})::hugeint") == str(number)


@few
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_text_comes_back(file: Path, text: str) -> None:
    value = "'{}'".format(text.replace("'", "''"))
    assert in_json(file, value) == text
    assert in_csv(file, value) == text


# The values are from nearly the whole range of the engine, as far as Python can hold them.
@pytest.mark.heavy
@few
@given(st.integers(-2_147_000_000, 2_146_000_000) | st.integers(-719_162, 2_932_896))
def test_a_date_comes_back(file: Path, engine: duckdb.DuckDBPyConnection, days: int) -> None:
    [(text,)] = engine.execute(
        "select (date '1970-01-01' + $1::integer)::varchar", [days]
    ).fetchall()
    value = f"'{text}'::date"
    assert in_csv(file, value) == text
    assert in_json(file, value) == text
    assert in_json(file, f"[{value}]") == [text]


@pytest.mark.heavy
@few
@given(st.integers(-(9_223 * 10**15), 9_223 * 10**15) | st.integers(-(62 * 10**15), 253 * 10**15))
def test_a_timestamp_comes_back(
    file: Path, engine: duckdb.DuckDBPyConnection, microseconds: int
) -> None:
    [(text,)] = engine.execute(
        "select make_timestamp($1::bigint)::varchar", [microseconds]
    ).fetchall()
    value = f"'{text}'::timestamp"
    for shown in (in_csv(file, value), in_json(file, value)):
        again = engine.execute("select epoch_us(?::timestamp)", [shown]).fetchall()
        assert again == [(microseconds,)]


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
