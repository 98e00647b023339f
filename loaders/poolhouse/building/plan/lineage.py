"""What a plan must be for its rules to give the rows that a build from nothing gives."""

import re
from collections.abc import Collection

from poolhouse.building.plan.nodes import Node, Plan, Rule

_OF_COLLECTIONS, _OF_RUNS = "collection_key", "run_key"
_AT_HAND = "getvariable('collections_at_hand')"
_RUN_AT_HAND = "getvariable('runs_at_hand')"

# By the pool, or by what every run of a collection shares: the same whatever the other runs are.
_SAME_FOR_EVERY_RUN = {Rule.BY_POOL, Rule.POOL_DEFINITION, Rule.NUMBERING}

# An import CTE, as every model begins: `name as ( select * from "schema"."table" where ... )`.
_IMPORT = re.compile(r'select \* from "(\w+)"\."(\w+)"(.*?)\n *\)', re.DOTALL)


def problem_of_lineage(plan: Plan) -> str:
    """Return which table does not fit its rule, and what to do; nothing where all do."""
    checks = (
        _lacks_key,
        _reads_source,
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


def _reads_source(plan: Plan, node: Node) -> str:
    """Name a source: of its columns the plan knows nothing, nor whether they must be filtered."""
    if read := sorted(plan.sources & set(node.reads)):
        return f"{node.name}: it reads {read[0]} itself: only staging does"
    return ""


def _reads_plain_table(plan: Plan, node: Node) -> str:
    """Name a plain table: it is made after those of collections, too late for this one."""
    late = {table.name for table in plan.plain_tables} & plan.loaded
    if read := sorted(plan.shown(late) & set(node.reads)):
        return f"{node.name}: it reads {read[0]}, which needs a table without a rule: give it one"
    return ""


def _reads_other_collections(plan: Plan, node: Node) -> str:
    keyed = {each.name for each in plan.relations if _OF_COLLECTIONS in _columns(each)}
    if read := _unfiltered(plan, node, keyed, _AT_HAND):
        return f"{node.name}: it reads all collections of {read}: `where {{{{ is_at_hand() }}}}`"
    return ""


def _reads_other_runs(plan: Plan, node: Node) -> str:
    """Name what depends on other runs, unless by way of the pool, where the rule is `by_run`."""
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
    if read := _unfiltered(plan, node, told, _RUN_AT_HAND):
        return f"{node.name}: it reads all runs of {read}: `where {{{{ is_run_at_hand() }}}}`"
    if of_all := sorted(summed & set(node.reads)):
        return (
            f"{node.name}: it reads {of_all[0]}, which depends on all runs: its rule is not by_run"
        )
    return ""


def _unfiltered(plan: Plan, node: Node, names: Collection[str], filter_: str) -> str:
    """Name one of these relations that the node reads without the filter; else nothing."""
    filters: dict[str, list[bool]] = {}
    for schema, table, rest in _IMPORT.findall(node.sql):
        filters.setdefault(f"{schema}.{table}", []).append(filter_ in rest)
    for each in plan.relations:
        if each.name in names and each.name in node.reads:
            mentions = node.sql.count('"{}"."{}"'.format(*each.relation.split(".")))
            found = filters.get(each.relation, [])
            if len(found) < mentions or not all(found):
                return each.name
    return ""


def _columns(node: Node) -> set[str]:
    return {column.name for column in node.columns}
