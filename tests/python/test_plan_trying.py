"""Test the trial of a plan on an empty database: its SQL must run, and its contracts must hold."""

import duckdb
import pytest

from poolhouse.building.plan import Column, Kind, Node
from poolhouse.building.plan.statements import commenting, making
from poolhouse.building.plan.trying import Contract, with_columns
from poolhouse.errors import PlanError


def relation(sql: str, kind: Kind = Kind.TABLE, comments: tuple[Column, ...] = ()) -> Node:
    return Node("made_up", kind, "made.up", sql, (), columns=comments)


def tried(node: Node, contract: Contract | None = None) -> Node:
    (known,) = with_columns([node], {"made_up": contract} if contract else {})
    return known


@pytest.mark.parametrize("kind", [Kind.TABLE, Kind.VIEW])
@pytest.mark.parametrize(
    "sql",
    [
        "select 1 as n, 'x' as word",
        "select 1 as n, '100 %; {x} $1 ?' as word",
        # dbt ends every line of a model, and so does the plan.
        "select 1 as n, 'x' as word -- it's the \"end\";\n",
        "select 1 as n, 'x' as word /* ) */",
        "from (values (1, 'x')) as listed (n, word)",
        "with one as (select 1 as n) select n, 'x' as word from one order by n limit 3",
    ],
)
def test_types_are_those_of_the_engine(sql: str, kind: Kind) -> None:
    assert tried(relation(sql, kind)).columns == (
        Column("n", "INTEGER", ""),
        Column("word", "VARCHAR", ""),
    )


def test_comments_stay_with_their_columns() -> None:
    """Columns without a description are in the table; unknown described columns are not."""
    said = (Column('a "b"', "", 'it\'s "said"'), Column("gone", "", "nothing has it"))
    known = tried(relation('select 1 as n, true as "a ""b"""', comments=said))
    assert known.columns == (
        Column("n", "INTEGER", ""),
        Column('a "b"', "BOOLEAN", said[0].comment),
    )
    with duckdb.connect() as connection:
        connection.execute("create schema made")
        connection.execute(making(known))
        for statement in commenting(known):
            connection.execute(statement)
        comments = connection.execute(
            "select column_name, comment from duckdb_columns() where not internal"
        )
        assert dict(comments.fetchall()) == {"n": None, 'a "b"': said[0].comment}


@pytest.mark.some(5)
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select 1 as n;", 'syntax error at or near ";"'),
        ("select 1 as n; drop schema raw", "syntax error"),
        ("select 1) ; drop schema raw cascade; from (select 1 as n", "must be a single query"),
        ("insert into raw.runs select 1", "syntax error"),
        ("", "syntax error"),
    ],
)
def test_a_node_is_one_query(kind: Kind, sql: str, message: str) -> None:
    with pytest.raises(PlanError, match=message) as raised:
        tried(relation(sql, kind))
    assert "made_up: " in str(raised.value)


@pytest.mark.parametrize("kind", [Kind.TABLE, Kind.VIEW, Kind.TEST])
@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select no_such from raw.runs", "no_such"),
        ("select * from made.no_such", "no_such"),
        ("select no_such(1) as n", "no_such"),
    ],
)
def test_sql_that_does_not_bind_names_the_node(kind: Kind, sql: str, message: str) -> None:
    with pytest.raises(PlanError, match=f"made_up: .*{message}") as raised:
        tried(relation(sql, kind))
    assert "\n" not in str(raised.value)


def test_nodes_read_each_other() -> None:
    """Nodes also read tables that loads write; macros are made, so that others can call them."""
    nodes = [
        Node("runs", Kind.VIEW, "made.runs", "select run_key from raw.runs", ()),
        Node(
            "one",
            Kind.MACRO,
            "made.one",
            "select n + run_key as n from made.runs",
            (),
            arguments=("n",),
        ),
        Node("called", Kind.TABLE, "made.called", "select n from made.one(1)", ()),
        Node("of_called", Kind.TEST, "", "select n from made.called", ()),
    ]
    columns = [node.columns for node in with_columns(nodes, {})]
    assert columns == [(Column("run_key", "INTEGER", ""),), (), (Column("n", "INTEGER", ""),), ()]


SQL = "select 1 as n, 'x' as word, [1.5::double] as scores"
CONTRACT = {"n": "integer", "word": "text", "scores": "double[]"}


def test_a_contract_that_holds() -> None:
    """Types have several names, and columns have no order."""
    assert tried(relation(SQL), CONTRACT).columns
    assert tried(relation(SQL), {"scores": "float8[]", "word": "varchar", "n": "int4"}).columns


@pytest.mark.parametrize(
    ("contract", "problem"),
    [
        ({**CONTRACT, "more": "integer"}, "only the contract has the column more"),
        ({"n": "integer", "word": "text"}, "only the SQL has the column scores"),
        ({**CONTRACT, "n": "bigint"}, "the column n is INTEGER, not BIGINT"),
        ({**CONTRACT, "scores": "double"}, "the column scores is DOUBLE[], not DOUBLE"),
        ({**CONTRACT, "word": "no_such_type"}, "no_such_type"),
        ({"it's": "integer"}, "only the contract has the column it's"),
    ],
)
def test_a_contract_that_is_broken(contract: Contract, problem: str) -> None:
    with pytest.raises(PlanError) as raised:
        tried(relation(SQL), contract)
    assert problem in str(raised.value)
    assert "made_up: " in str(raised.value)
