"""Test the plan: its nodes, differences between plans, and tables that do not fit their rules."""

from dataclasses import replace
from typing import Any

import pytest

from plans import AT_HAND
from poolhouse.building.plan import Built, Change, Column, Kind, Node, Plan, Rule, plan_of
from poolhouse.building.plan.lineage import problem_of_lineage

ODD = Node(
    "odd",
    Kind.TABLE,
    "main.odd",
    'select \'100 %; "x"\' as "a ""quoted"" name", \'é\' -- it\'s the end\n',
    reads=("raw.runs", "other"),
    rule=Rule.NUMBERING,
    numbering=("id", "key"),
    before=("set a = 'b'",),
    after=("reset a",),
    columns=(Column('a "quoted" name', "VARCHAR", 'it\'s "said"'), Column("b", "INTEGER", "")),
    comment="it's\nodd",
)
MACRO = Node("asked", Kind.MACRO, "main.asked", "select a, b", (), arguments=("a", "b := 'full'"))
TEST = Node("key_of_odd", Kind.TEST, "", "select 1 where false", ("odd",))


def test_a_plan_is_read_as_it_was_written() -> None:
    plan = Plan((ODD, MACRO, TEST), {"measures": ["P@5"], "lipani_alpha": 0.5})
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert again.version == plan.version
    assert [type(node.kind) for node in again.nodes] == [Kind] * 3
    assert type(again.nodes[0].rule) is Rule


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"nodes": [{}], "settings": {}}', '{"nodes": "x"}', '"x"']
)
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        Plan.from_json(text)


@pytest.mark.parametrize(
    "change",
    [
        {"sql": "select 2"},
        {"rule": Rule.BY_RUN},
        {"rule": None},
        {"numbering": ("id", "other")},
        {"before": ()},
        {"after": ("reset b",)},
        {"kind": Kind.VIEW},
        {"relation": "other.odd"},
        {"arguments": ("a",)},
        {"columns": (ODD.columns[0], Column("b", "BIGINT", ""))},
        {"columns": ODD.columns[::-1]},
    ],
)
def test_what_a_node_is_defines_it(change: dict[str, Any]) -> None:
    changed = replace(ODD, **change)
    assert changed.definition != ODD.definition
    assert Plan((changed,), {}).version != Plan((ODD,), {}).version


@pytest.mark.parametrize(
    "change",
    [{"comment": "other"}, {"columns": (ODD.columns[0], Column("b", "INTEGER", "is said"))}],
)
def test_what_is_said_of_a_node_is_its_wording(change: dict[str, Any]) -> None:
    changed = replace(ODD, **change)
    assert changed.definition == ODD.definition
    assert changed.wording != ODD.wording
    assert Plan((changed,), {}).version == Plan((ODD,), {}).version


def test_what_a_node_is_is_no_wording() -> None:
    assert replace(ODD, sql="select 2", rule=None, after=()).wording == ODD.wording


def test_tests_do_not_make_another_version() -> None:
    """Tests say nothing about the rows."""
    assert Plan((ODD, TEST), {}).version == Plan((ODD,), {"alpha": 1}).version


def view(name: str, *reads: str) -> Node:
    return Node(name, Kind.VIEW, f"main.{name}", "select 1", reads)


def as_built(*nodes: Node) -> dict[str, Built]:
    return {node.name: Built(node.relation, node.definition, node.wording) for node in nodes}


FIRST, SECOND, THIRD, APART = (
    view("first"),
    view("second", "first"),
    view("third", "second"),
    view("apart"),
)
FOUR = Plan((FIRST, SECOND, THIRD, APART), {})


ALL_FOUR = frozenset({"first", "second", "third", "apart"})


@pytest.mark.parametrize(
    ("built", "change"),
    [
        (FOUR.nodes, Change.none()),
        ((), Change(ALL_FOUR, frozenset(), frozenset())),
        # Stale is what reads what changed; reworded is the node alone.
        (
            (FIRST, replace(SECOND, sql="select 2"), THIRD, APART),
            Change(frozenset({"second", "third"}), frozenset(), frozenset()),
        ),
        (
            (replace(FIRST, comment="before"), SECOND, THIRD, APART),
            Change(frozenset(), frozenset({"first"}), frozenset()),
        ),
        # Where a node moves to another schema, its old relation is gone.
        (
            (FIRST, SECOND, THIRD, replace(APART, relation="old.apart"), view("dropped")),
            Change(frozenset({"apart"}), frozenset(), frozenset({"old.apart", "main.dropped"})),
        ),
    ],
    ids=["nothing", "everything", "stale", "reworded", "gone"],
)
def test_what_changed_since_the_build(built: tuple[Node, ...], change: Change) -> None:
    found = FOUR.change_from(as_built(*built))
    assert found == change
    assert bool(found) is (change != Change.none())


def test_a_view_shows_what_it_reads_and_a_table_does_not() -> None:
    table = replace(SECOND, kind=Kind.TABLE)
    assert FOUR.shown({"first"}) == {"first", "second", "third"}
    assert Plan((FIRST, table, THIRD), {}).shown({"first"}) == {"first"}


# Lineage: a plan has one table of each rule, and views. One more table is added, which may not fit.

OF_RUNS_AT_HAND = f"{AT_HAND}\n        and list_contains(getvariable('runs_at_hand'), run_key)"


def imported(name: str, condition: str = "") -> str:
    """Return an import CTE, as dbt compiles it."""
    where = f"\n    where\n        {condition}" if condition else ""
    schema, _, table = name.rpartition(".")
    return f'{table} as (\n\n    select * from "{schema or "main"}"."{table}"{where}\n\n)'


def table(name: str, rule: Rule | None, columns: str, **imports: str) -> Node:
    """Return a table that imports others, each by the given condition."""
    ctes = ", ".join(imported(*each) for each in imports.items())
    types = tuple(Column(column, "INTEGER", "") for column in columns.split())
    sql = f"with {ctes} select 1" if imports else "select 1"
    return Node(name, Kind.TABLE, f"main.{name}", sql, tuple(imports), rule, columns=types)


def shown(name: str, columns: str, *reads: str) -> Node:
    types = tuple(Column(column, "INTEGER", "") for column in columns.split())
    return replace(view(name, *reads), columns=types)


SOUND = (
    shown("stg_lines", "collection_key run_key", "raw.run_lines"),
    table("pool", Rule.POOL, "collection_key run_key", stg_lines=AT_HAND),
    table("depths", Rule.BY_POOL, "collection_key", pool=AT_HAND),
    table("topics", Rule.NUMBERING, "collection_key", stg_lines=AT_HAND),
    table("rankings", Rule.BY_RUN, "collection_key run_key", stg_lines=OF_RUNS_AT_HAND),
    table("counts", Rule.BY_COLLECTION, "collection_key", rankings=AT_HAND),
    shown("shown_counts", "collection_key", "counts"),
    table("measures", None, "name"),
    table("late", None, "n", stg_lines=""),
    shown("shown_late", "n", "late"),
)


@pytest.mark.parametrize(
    ("rule", "columns", "imports", "problem"),
    [
        # Through the pool, and through the tables that all runs share, a table may read other runs.
        (
            Rule.BY_RUN,
            "collection_key run_key",
            {"rankings": OF_RUNS_AT_HAND, "pool": AT_HAND, "depths": AT_HAND, "topics": AT_HAND},
            "",
        ),
        (Rule.BY_COLLECTION, "collection_key", {"counts": AT_HAND, "measures": ""}, ""),
        (Rule.BY_RUN, "collection_key run_key", {"rankings": AT_HAND}, "all runs of rankings: "),
        (Rule.BY_RUN, "collection_key", {"stg_lines": AT_HAND}, "all runs of stg_lines: "),
        (Rule.BY_RUN, "collection_key", {"counts": AT_HAND}, "counts, which depends on all runs: "),
        (
            Rule.BY_RUN,
            "collection_key",
            {"shown_counts": AT_HAND},
            "shown_counts, which depends on all runs: ",
        ),
        (Rule.BY_COLLECTION, "collection_key", {"rankings": ""}, "all collections of rankings: "),
        (Rule.BY_POOL, "collection_key", {"pool": "run_key = 1"}, "all collections of pool: "),
        (Rule.BY_COLLECTION, "n", {"counts": AT_HAND}, "needs the column collection_key"),
        (Rule.BY_COLLECTION, "collection_key", {"late": ""}, "late, which needs a table without"),
        (Rule.BY_COLLECTION, "collection_key", {"shown_late": ""}, "shown_late, which needs a"),
        # Also of sources.
        (Rule.BY_COLLECTION, "collection_key", {"raw.topics": AT_HAND}, ""),
        (Rule.BY_POOL, "collection_key", {"raw.topics": ""}, "all collections of raw.topics: "),
        (Rule.BY_RUN, "collection_key", {"raw.run_lines": AT_HAND}, "all runs of raw.run_lines: "),
        # A table without a rule is made from all rows, after all other tables.
        (None, "n", {"rankings": "", "counts": "", "late": ""}, ""),
    ],
)
def test_tables_fit_their_rules(
    rule: Rule | None, columns: str, imports: dict[str, str], problem: str
) -> None:
    found = problem_of_lineage(Plan((*SOUND, table("made_up", rule, columns, **imports)), {}))
    assert problem in found
    assert found.startswith("made_up: ") if problem else not found


@pytest.mark.parametrize(
    ("more", "of_all"),
    [
        (", " + imported("rankings", AT_HAND), "runs"),
        (", " + imported("rankings", "rank = 1"), "collections"),
        ('\ninner join "main"."rankings" on true', "collections"),
    ],
)
def test_every_mention_is_filtered(more: str, of_all: str) -> None:
    """A second import, and a join without a condition on keys, need the filter, too."""
    once = table("made_up", Rule.BY_RUN, "collection_key", rankings=OF_RUNS_AT_HAND)
    plan = Plan((*SOUND, replace(once, sql=once.sql + more)), {})
    assert f"it reads all {of_all} of rankings" in problem_of_lineage(plan)


def test_the_plan_fits_its_rules() -> None:
    assert problem_of_lineage(plan_of({})) == ""


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        (
            "int_judged_rankings",
            {"sql": ("runs_at_hand", "other")},
            "reads all runs of int_rankings",
        ),
        ("int_left_out", {"sql": ("collections_at_hand", "other")}, "reads all collections of"),
        ("int_unretrieved_judgements", {"rule": Rule.BY_RUN}, "reads all runs of int_rankings"),
    ],
)
def test_the_plan_with_another_table(name: str, change: dict[str, Any], problem: str) -> None:
    """The same checks read the SQL that dbt compiles."""
    plan = plan_of({})
    [node] = [node for node in plan.nodes if node.name == name]
    if "sql" in change:
        change = {"sql": node.sql.replace(*change["sql"])}
    other = replace(node, **change)
    nodes = tuple(other if each is node else each for each in plan.nodes)
    found = problem_of_lineage(Plan(nodes, {}))
    assert found.startswith(f"{name}: it {problem}")
