"""Conditions under which the rules of a plan give the same rows as a build from scratch."""

import re
from collections.abc import Collection

from poolhouse.building.plan.nodes import Node, Plan, Rule

_OF_COLLECTIONS, _OF_RUNS = "collection_key", "run_key"
_AT_HAND = "getvariable('collections_at_hand')"
_RUN_AT_HAND = "getvariable('runs_at_hand')"

# Tables that depend on the pool, or on data that all runs of a collection share. Their rows do not
# depend on other runs.
_SAME_FOR_EVERY_RUN = {Rule.POOL, Rule.BY_POOL, Rule.NUMBERING}

# An import CTE, with which every model begins: `name as ( select * from "schema"."table" where ...
# )`.
_IMPORT = re.compile(r'select \* from "(\w+)"\."(\w+)"(.*?)\n *\)', re.DOTALL)


def problem_of_lineage(plan: Plan) -> str:
    """Return which table does not fit its rule, with advice, or nothing if all tables fit."""
    checks = (
        _lacks_key,
        _reads_plain_table,
        _reads_other_collections,
        _reads_other_runs,
    )
    problems = (check(plan, node) for node in plan.of_collections for check in checks)
    return next(filter(None, problems), "")


def _lacks_key(_plan: Plan, node: Node) -> str:
    if _OF_COLLECTIONS in _columns(node):
        return ""
    return f"{node.name}: a table that has a rule needs the column {_OF_COLLECTIONS}"


def _reads_plain_table(plan: Plan, node: Node) -> str:
    """Return a plain table that the node reads. It is built after the tables of collections."""
    late = {table.name for table in plan.plain_tables} & plan.loaded
    if read := sorted(plan.shown(late) & set(node.reads)):
        return f"{node.name}: it reads {read[0]}, which needs a table without a rule: give it one"
    return ""


def _reads_other_collections(plan: Plan, node: Node) -> str:
    keyed = {each.name for each in plan.relations if _OF_COLLECTIONS in _columns(each)}
    if read := _unfiltered(plan, node, keyed | plan.sources, _AT_HAND):
        return f"{node.name}: it reads all collections of {read}: `imports('{read}')` does not"
    return ""


def _reads_other_runs(plan: Plan, node: Node) -> str:
    """Return a relation that a `by_run` table reads and that depends on other runs directly."""
    if node.rule is not Rule.BY_RUN:
        return ""
    told: set[str] = set()
    summed: set[str] = set()
    for each in plan.relations:
        if each.rule in _SAME_FOR_EVERY_RUN:
            continue
        if _OF_RUNS in _columns(each):
            told.add(each.name)
        elif not (told | summed).isdisjoint(each.reads):
            summed.add(each.name)
    if read := _unfiltered(plan, node, told | plan.sources, _RUN_AT_HAND):
        return f"{node.name}: it reads all runs of {read}: `imports('{read}')` does not"
    if of_all := sorted(summed & set(node.reads)):
        return (
            f"{node.name}: it reads {of_all[0]}, which depends on all runs: its rule is not by_run"
        )
    return ""


def _unfiltered(plan: Plan, node: Node, names: Collection[str], filter_: str) -> str:
    """Return one of these relations and sources that the node reads without the filter."""
    filters: dict[str, list[bool]] = {}
    for schema, table, rest in _IMPORT.findall(node.sql):
        filters.setdefault(f"{schema}.{table}", []).append(filter_ in rest)
    relations = {source: source for source in plan.sources}
    relations |= {each.name: each.relation for each in plan.relations}
    for name in node.reads:
        if name in names:
            mentions = node.sql.count('"{}"."{}"'.format(*relations[name].split(".")))
            found = filters.get(relations[name], [])
            if len(found) < mentions or not all(found):
                return name
    return ""


def _columns(node: Node) -> set[str]:
    return {column.name for column in node.columns}
