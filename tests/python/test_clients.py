"""Test the published file in other clients: an older DuckDB, ADBC, and SQLAlchemy."""

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import adbc_driver_duckdb
import adbc_driver_manager
import duckdb
import polars as pl
import pytest
from adbc_driver_manager import dbapi

from client_sqlalchemy import Marts, reflect
from conftest import OF_DEV
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of
from poolhouse.warehouse.side import STORAGE_VERSION

HERE = Path(__file__).parent
PYPROJECT = HERE.parents[1] / "pyproject.toml"


@pytest.fixture
def file(built_once: tuple[Path, LoadRequest, Warehouse]) -> Path:
    return built_once[0]


def described(file: Path) -> Marts:
    """Return the engine's own description of the marts, in the form of `reflect`."""
    with duckdb.connect(str(file), read_only=True) as warehouse:
        rows = warehouse.execute(
            """
            select view_name, views.comment, column_name, data_type, columns.comment
            from duckdb_views() as views
            inner join duckdb_columns() as columns
                on views.view_oid = columns.table_oid and views.schema_name = columns.schema_name
            where views.schema_name = 'main' and not views.internal
            order by view_name, column_index
            """
        ).fetchall()
    marts: Marts = {}
    for mart, comment, column, data_type, of_column in rows:
        # Views have no keys, and so none can be reflected.
        empty = {"comment": comment, "columns": {}, "key": [], "foreign_keys": []}
        marts.setdefault(mart, empty)["columns"][column] = [data_type, of_column]
    return marts


@pytest.mark.heavy
def test_sqlalchemy_lists_the_marts(file: Path) -> None:
    marts = described(file)
    assert {"leaderboard", "fct_run_scores"} <= set(marts)
    assert all(each["comment"] for each in marts.values())
    assert compared(reflect(str(file))) == compared(marts)


@pytest.mark.heavy
def test_so_does_the_oldest_that_is_allowed(file: Path) -> None:
    names = ("sqlalchemy", "duckdb-sqlalchemy", "duckdb")
    allowed = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
    ranges = {name: each for name in names for each in allowed if each.startswith(f"{name}>=")}
    seen = elsewhere(("client_sqlalchemy.py", file), *ranges.values())
    assert ranges["sqlalchemy"].startswith(f"sqlalchemy>={seen['version']},")
    assert compared(seen["marts"]) == compared(described(file))


@pytest.mark.heavy
def test_the_oldest_duckdb_reads_everything(file: Path) -> None:
    query = "select run_id, score from run_scores('page', 'nDCG@10') order by run_id"
    release = STORAGE_VERSION.removeprefix("v")
    seen = elsewhere(("client_duckdb.py", file, query), f"duckdb=={release}")
    assert seen["version"] == release
    assert set(seen["rows"]) == set(described(file))
    assert seen["without_comment"] == [0, 0, 0]
    with duckdb.connect(str(file), read_only=True) as warehouse:
        assert [tuple(each) for each in seen["answer"]] == warehouse.execute(query).fetchall()


def test_adbc_reads(file: Path) -> None:
    pytest.importorskip("pyarrow", reason=OF_DEV)  # the schema of a table is an object of it
    settings = {"path": str(file), "access_mode": "read_only"}
    with dbapi.connect(
        driver=adbc_driver_duckdb.driver_path(),
        entrypoint="duckdb_adbc_init",
        db_kwargs=settings,
        autocommit=True,
    ) as connection:
        runs = pl.read_database("select * from leaderboard order by run_id", connection)
        schema = connection.adbc_get_table_schema("leaderboard", db_schema_filter="main")
        with (
            connection.cursor() as cursor,
            pytest.raises(adbc_driver_manager.Error, match="read-only"),
        ):
            cursor.execute("create table main.another as select 1")
    with duckdb.connect(str(file), read_only=True) as warehouse:
        here = frame_of(warehouse.sql("select * from leaderboard order by run_id"))
    assert runs.equals(here)
    assert schema.names == here.columns


def compared(marts: Marts) -> Marts:
    """Return types in the engine's spelling; SQLAlchemy has other names for some."""
    return {
        mart: each
        | {
            "columns": {
                column: [str(duckdb.sqltype(data_type)), comment]
                for column, (data_type, comment) in each["columns"].items()
            }
        }
        for mart, each in marts.items()
    }


def elsewhere(
    script: tuple[str | Path, ...], *requirements: str, python: str | None = None
) -> dict[str, Any]:
    """Run a script in a separate environment, with the lowest versions of its requirements.

    `script` is its file and its arguments. `python` is a version of Python for packages that have
    no wheel for this one.
    """
    named = [word for each in requirements for word in ("--with", each)]
    if python:
        named += ["--python", python]
    done = subprocess.run(
        [
            *("uv", "run", "--isolated", "--no-project", "--quiet"),
            *("--resolution", "lowest-direct", *named),
            *("python", "-W", "ignore", *script),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen
