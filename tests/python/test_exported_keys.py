"""Test the keys in an exported database, by which tools find joins, and clients that read it."""

from pathlib import Path

import duckdb
import pytest
import sqlalchemy

from asking import invoke_on
from poolhouse.export import copies
from poolhouse.warehouse.file import Warehouse
from test_clients import elsewhere

Keys = dict[str, set[tuple[str, ...]]]

# A test of a client reads everything, and each release would take its own minute.
OLDEST = "1.1.3"


def exported(warehouse: Warehouse, target: Path, *options: str) -> Path:
    invoke_on(warehouse, "export", target, "--format", "duckdb", *options, status=0)
    return target


@pytest.fixture
def file(exported_once: Path) -> Path:
    return exported_once / "marts.duckdb"


def keys_of(file: Path, kind: str) -> Keys:
    """Return the keys of each table as a catalogue lists them; a foreign key with its table."""
    with duckdb.connect(str(file), read_only=True) as connection:
        rows = connection.execute(
            """
            select table_name, referenced_table, constraint_column_names from duckdb_constraints()
            where constraint_type = $kind
            """,
            {"kind": kind},
        ).fetchall()
    keys: Keys = {}
    for table, other, columns in rows:
        named = columns if kind == "PRIMARY KEY" else [other, *columns]
        keys.setdefault(table, set()).add(tuple(named))
    return keys


@pytest.mark.heavy
def test_tools_find_the_keys(file: Path) -> None:
    engine = sqlalchemy.create_engine(f"duckdb:///{file}?access_mode=read_only")
    tables = sqlalchemy.inspect(engine)
    key = tables.get_pk_constraint("fct_run_scores", schema="main")["constrained_columns"]
    assert key == ["collection_id", "run_id", "judgement_set", "unjudged", "measure"]
    found = {
        (each["referred_table"], *each["constrained_columns"])
        for each in tables.get_foreign_keys("fct_run_scores", schema="main")
    }
    engine.dispose()
    assert found == {
        ("dim_collections", "collection_id"),
        ("dim_runs", "collection_id", "run_id"),
        ("dim_measures", "measure"),
    }
    assert found == keys_of(file, "FOREIGN KEY")["fct_run_scores"]


@pytest.mark.heavy
def test_a_key_holds_for_every_row(file: Path) -> None:
    primary, foreign = keys_of(file, "PRIMARY KEY"), keys_of(file, "FOREIGN KEY")
    assert {"leaderboard", "fct_judgements", "dim_runs"} <= primary.keys() & foreign.keys()
    with duckdb.connect(str(file), read_only=True) as connection:
        for mart, [key] in primary.items():
            names = ", ".join(key)
            [(n_rows, n_keys)] = connection.execute(
                f"select count(*), count(distinct ({names})) from {mart}"
            ).fetchall()
            assert n_rows == n_keys, mart
        for mart, keys in foreign.items():
            for other, *columns in keys:
                names = ", ".join(columns)
                lost = connection.execute(
                    f"from {mart} anti join {other} using ({names}) limit 1"
                ).fetchall()
                assert lost == [], (mart, other)


def test_a_key_needs_its_table(page: Warehouse, tmp_path: Path) -> None:
    file = exported(page, tmp_path / "one.duckdb", "--mart", "leaderboard")
    assert keys_of(file, "FOREIGN KEY") == {}
    assert keys_of(file, "PRIMARY KEY") == {"leaderboard": {("collection_id", "run_id")}}


def test_large_tables_have_no_keys(
    page: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ("--mart", "dim_runs", "--mart", "leaderboard", "--mart", "dim_measures")
    with_keys = exported(page, tmp_path / "small.duckdb", *chosen)
    with duckdb.connect(str(with_keys), read_only=True) as connection:
        [(n_runs,)] = connection.execute("select count(*) from dim_runs").fetchall()
        rows = connection.execute("from leaderboard order by all").fetchall()
        [(n_measures,)] = connection.execute("select count(*) from dim_measures").fetchall()
    assert len(rows) == n_runs < n_measures
    monkeypatch.setattr(copies, "_MOST_ROWS_WITH_KEYS", n_runs)
    without = exported(page, tmp_path / "large.duckdb", *chosen)
    assert keys_of(without, "PRIMARY KEY").keys() == {"dim_runs", "leaderboard"}
    assert keys_of(without, "FOREIGN KEY").keys() == {"leaderboard"}


@pytest.mark.heavy
def test_the_oldest_client_reads_everything(file: Path) -> None:
    seen = elsewhere(("client_duckdb.py", file), f"duckdb=={OLDEST}", python="3.11")
    assert seen["version"] == OLDEST
    assert seen["without_comment"] == [0, 0, 0]
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute("select table_name from duckdb_tables()").fetchall()
        here = {name: connection.table(name).count("*").fetchall()[0][0] for (name,) in tables}
    assert seen["rows"] == here
    assert seen["keys"]["PRIMARY KEY"] == len(keys_of(file, "PRIMARY KEY"))
    assert seen["keys"]["FOREIGN KEY"] == sum(map(len, keys_of(file, "FOREIGN KEY").values()))
