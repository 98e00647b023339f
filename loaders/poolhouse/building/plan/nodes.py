"""The content of a plan: relations and tests in the order in which they can be built."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, Self


class Kind(StrEnum):
    """The kind of a node. The value is the engine's word."""

    TABLE = "table"
    VIEW = "view"
    MACRO = "macro table"
    # A macro that only Poolhouse calls. The file has its text, and each connection makes its own.
    OWN_MACRO = "temp macro table"
    TEST = "test"
    QUESTION = "query"


class Rule(StrEnum):
    """The rows of a table that are rebuilt if only runs of a collection changed."""

    BY_COLLECTION = "by_collection"
    BY_RUN = "by_run"
    POOL = "pool"
    BY_POOL = "by_pool"
    NUMBERING = "numbering"


class Column(NamedTuple):
    """A column with its type in the engine, and its description."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True)
class Node:
    """A relation, a test or a question, which is a query that no build runs.

    `reads` are names of nodes, and of sources as `schema.table`. `numbering` names the column of
    ids and the column of their keys, for the rule of this name. `portions` names the column of
    candidates of a table that a large collection builds in portions. `before` and `after` are dbt's
    hooks.
    """

    name: str
    kind: Kind
    relation: str
    sql: str
    reads: tuple[str, ...]
    rule: Rule | None = None
    numbering: tuple[str, str] | None = None
    portions: str | None = None
    arguments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    comment: str = ""

    @cached_property
    def definition(self) -> str:
        """Hash the definition of the node. If the hash differs, the node is stale."""
        what = {each.name: getattr(self, each.name) for each in fields(self)}
        del what["name"], what["reads"], what["comment"], what["portions"]
        what["columns"] = [(column.name, column.type) for column in self.columns]
        return _hash(what)

    @cached_property
    def wording(self) -> str:
        """Hash the descriptions of the node."""
        return _hash([self.comment, [(column.name, column.comment) for column in self.columns]])

    @classmethod
    def from_json(cls, what: Mapping[str, Any]) -> Self:
        """Read the result of `dataclasses.asdict`."""
        lists = ("reads", "arguments", "before", "after")
        return cls(
            **{
                **what,
                **{name: tuple(what[name]) for name in lists},
                "kind": Kind(what["kind"]),
                "rule": what["rule"] and Rule(what["rule"]),
                "numbering": what["numbering"] and tuple(what["numbering"]),
                "columns": tuple(Column(*column) for column in what["columns"]),
            }
        )


class Change(NamedTuple):
    """The difference between a plan and the plan with which a warehouse was built."""

    stale: frozenset[str]
    """Relations to rebuild, because they or the relations that they read have changed."""
    reworded: frozenset[str]
    """Relations with changed descriptions."""
    gone: frozenset[str]
    """Relations, with their schema, that are no longer in the plan."""

    def __bool__(self) -> bool:
        return bool(self.stale or self.reworded or self.gone)

    @classmethod
    def none(cls) -> Self:
        """Return an empty change."""
        return cls(frozenset(), frozenset(), frozenset())


class Built(NamedTuple):
    """A relation as it was at the last build of a warehouse."""

    relation: str
    definition: str
    wording: str


@dataclass(frozen=True)
class Plan:
    """All nodes, each after the nodes that it reads, and the settings of their compilation."""

    nodes: tuple[Node, ...]
    settings: Mapping[str, Any]

    @cached_property
    def relations(self) -> tuple[Node, ...]:
        """All nodes except the tests and the questions."""
        return tuple(node for node in self.nodes if node.kind not in {Kind.TEST, Kind.QUESTION})

    @cached_property
    def tests(self) -> tuple[Node, ...]:
        """The tests."""
        return tuple(node for node in self.nodes if node.kind is Kind.TEST)

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """The SQL of the questions about papers (folder analyses/papers), by name."""
        return {node.name: node.sql for node in self.nodes if node.kind is Kind.QUESTION}

    @cached_property
    def tests_of_rows(self) -> tuple[Node, ...]:
        """The tests of tables with a rule. Each build runs them on the rows that it stores."""
        tables = {node.name for node in self.of_collections}
        return tuple(test for test in self.tests if not tables.isdisjoint(test.reads))

    @cached_property
    def tests_of_views(self) -> tuple[Node, ...]:
        """The other tests of data. A check runs them: they test what views make of stored rows.

        No data can break a test of seeds alone: dbt runs it in pytest.
        """
        others = (test for test in self.tests if test not in self.tests_of_rows)
        return tuple(test for test in others if not self.loaded.isdisjoint(test.reads))

    @cached_property
    def of_collections(self) -> tuple[Node, ...]:
        """Tables with a rule. Their rows are built for some collections at a time.

        The tables that depend on the pool are the last ones, with `behind_pool`.
        """
        of_collections = (node for node in self.relations if node.rule)
        return tuple(sorted(of_collections, key=lambda node: node.name in self.behind_pool))

    @cached_property
    def pool(self) -> tuple[Node, ...]:
        """The tables that say which runs were pooled, and how deep."""
        return tuple(node for node in self.relations if node.rule is Rule.POOL)

    @cached_property
    def behind_pool(self) -> frozenset[str]:
        """Relations that depend on the pool, without those that it depends on itself."""
        needed = {node.name for node in self.pool}
        for node in reversed(self.relations):
            if node.name in needed:
                needed.update(node.reads)
        return frozenset(self._following({node.name for node in self.pool}) - needed)

    @cached_property
    def plain_tables(self) -> tuple[Node, ...]:
        """Tables without a rule, such as seeds."""
        return tuple(node for node in self.relations if node.kind is Kind.TABLE and not node.rule)

    @cached_property
    def sources(self) -> frozenset[str]:
        """Relations that the plan reads and does not build: the tables that loading writes."""
        names = {node.name for node in self.nodes}
        return frozenset(read for node in self.nodes for read in node.reads) - names

    @cached_property
    def loaded(self) -> frozenset[str]:
        """The sources, and all relations that depend on them."""
        return frozenset(self._following(self.sources))

    @cached_property
    def version(self) -> str:
        """Hash the definitions of all relations. Two plans of one version build the same rows."""
        return _hash({node.name: node.definition for node in self.relations})[:16]

    @cached_property
    def worded_version(self) -> str:
        """Hash the definitions and the descriptions of all relations."""
        return _hash({node.name: [node.definition, node.wording] for node in self.relations})[:16]

    @property
    def whole(self) -> Change:
        """The change of a file that has none of its relations."""
        return Change(frozenset(node.name for node in self.relations), frozenset(), frozenset())

    def change_from(self, built: Mapping[str, Built]) -> Change:
        """Compare with the relations of the last build of a warehouse, by name."""
        others = {
            node.name
            for node in self.relations
            if node.name not in built or built[node.name][:2] != (node.relation, node.definition)
        }
        reworded = {
            node.name
            for node in self.relations
            if node.name in built and built[node.name].wording != node.wording
        }
        there = {node.relation for node in self.relations}
        gone = {each.relation for each in built.values()} - there
        return Change(frozenset(self._following(others)), frozenset(reworded), frozenset(gone))

    def shown(self, changed: Collection[str]) -> set[str]:
        """Return the relations that change if rows of these tables and sources change.

        The only tables among them are the named ones, because other tables are not rebuilt.
        """
        names = set(changed)
        for node in self.relations:
            if node.kind is not Kind.TABLE and not names.isdisjoint(node.reads):
                names.add(node.name)
        return names

    def _following(self, names: Collection[str]) -> set[str]:
        """Add all relations that read these, directly or through other relations."""
        following = set(names)
        for node in self.relations:
            if not following.isdisjoint(node.reads):
                following.add(node.name)
        return following

    def to_json(self) -> str:
        """Write the plan as JSON. `from_json` reads it."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the result of `to_json`. Raise ValueError, KeyError or TypeError for other text."""
        what = json.loads(text)
        return cls(tuple(Node.from_json(node) for node in what["nodes"]), what["settings"])


def _hash(what: object) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
