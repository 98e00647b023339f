"""What a plan holds: relations and tests in the order in which they can be made."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, Self


class Kind(StrEnum):
    """What a node is; the value is the engine's word for it."""

    TABLE = "table"
    VIEW = "view"
    MACRO = "macro table"
    TEST = "test"


class Rule(StrEnum):
    """Which rows of a table are made again when runs of a collection changed, and nothing else."""

    BY_COLLECTION = "by_collection"
    BY_RUN = "by_run"
    BY_POOL = "by_pool"
    POOL_DEFINITION = "pool_definition"
    NUMBERING = "numbering"


class Column(NamedTuple):
    """A column as the engine has it, and what is said about it."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True)
class Node:
    """A relation or a test.

    `reads` are names of nodes, and of sources as `schema.table`. `numbering` is the column of ids
    and that of their keys, where the rule is that. `before` and `after` are dbt's hooks.
    """

    name: str
    kind: Kind
    relation: str
    sql: str
    reads: tuple[str, ...]
    rule: Rule | None = None
    numbering: tuple[str, str] | None = None
    arguments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    comment: str = ""

    @cached_property
    def definition(self) -> str:
        """Hash what the node is: where that is another, what it holds is stale."""
        what = asdict(self)
        del what["name"], what["reads"], what["comment"]
        what["columns"] = [(column.name, column.type) for column in self.columns]
        return _hash(what)

    @cached_property
    def wording(self) -> str:
        """Hash what is said about the node."""
        return _hash([self.comment, [(column.name, column.comment) for column in self.columns]])

    @property
    def is_of_a_collection(self) -> bool:
        """Whether what it says depends on which collections are at hand (macros/project)."""
        return "collections_at_hand" in self.sql or "collection_ids_at_hand" in self.sql

    @classmethod
    def from_json(cls, what: Mapping[str, Any]) -> Self:
        """Read what `dataclasses.asdict` wrote."""
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
    """How a plan differs from what a warehouse was built by."""

    stale: frozenset[str]
    """Relations that are to be made again: they, or something that they read, are other ones."""
    reworded: frozenset[str]
    """Relations of which something else is said."""
    gone: frozenset[str]
    """Relations, with their schema, that are not in the plan any more."""

    def __bool__(self) -> bool:
        return bool(self.stale or self.reworded or self.gone)

    @classmethod
    def none(cls) -> Self:
        """Return the change that is none."""
        return cls(frozenset(), frozenset(), frozenset())


class Built(NamedTuple):
    """A relation as a warehouse was built by it."""

    relation: str
    definition: str
    wording: str


@dataclass(frozen=True)
class Plan:
    """All nodes, each after what it reads; `settings` are what they were compiled with."""

    nodes: tuple[Node, ...]
    settings: Mapping[str, Any]

    @cached_property
    def relations(self) -> tuple[Node, ...]:
        """All nodes but the tests."""
        return tuple(node for node in self.nodes if node.kind is not Kind.TEST)

    @cached_property
    def tests(self) -> tuple[Node, ...]:
        """The tests."""
        return tuple(node for node in self.nodes if node.kind is Kind.TEST)

    @cached_property
    def of_collections(self) -> tuple[Node, ...]:
        """Tables whose rows are made a collection at a time: those that have a rule."""
        return tuple(node for node in self.relations if node.rule)

    @cached_property
    def plain_tables(self) -> tuple[Node, ...]:
        """Tables that have no rule; seeds are among them."""
        return tuple(node for node in self.relations if node.kind is Kind.TABLE and not node.rule)

    @cached_property
    def sources(self) -> frozenset[str]:
        """What is read and is not the plan's: the tables that loading writes."""
        names = {node.name for node in self.nodes}
        return frozenset(read for node in self.nodes for read in node.reads) - names

    @cached_property
    def loaded(self) -> frozenset[str]:
        """The sources, and relations that follow from them in any way."""
        return frozenset(self._following(self.sources))

    @cached_property
    def version(self) -> str:
        """Hash what all relations are: two plans of one version make the same rows."""
        return _hash({node.name: node.definition for node in self.relations})[:16]

    def change_from(self, built: Mapping[str, Built]) -> Change:
        """Compare with the relations by which a warehouse was built, by name."""
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
        """Name the relations in which other rows of these tables and sources show themselves.

        Tables among them are only those named: others are as they were made.
        """
        names = set(changed)
        for node in self.relations:
            if node.kind is not Kind.TABLE and not names.isdisjoint(node.reads):
                names.add(node.name)
        return names

    def _following(self, names: Collection[str]) -> set[str]:
        """Add all relations that read these, directly or by way of others."""
        following = set(names)
        for node in self.relations:
            if not following.isdisjoint(node.reads):
                following.add(node.name)
        return following

    def to_json(self) -> str:
        """Write it; `from_json` reads it."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Raise ValueError, KeyError, TypeError for anything else."""
        what = json.loads(text)
        return cls(tuple(Node.from_json(node) for node in what["nodes"]), what["settings"])


def _hash(what: object) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
