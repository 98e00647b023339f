"""Tools that say what the public tables are, in the words of the plan and of the docs."""

import re
from collections.abc import Sequence

from poolhouse.building.plan import Kind, Node, known_plan, plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.documentation import filters
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.export.marts import keys_of_marts
from poolhouse.mcp_server.answers import Answer
from poolhouse.mcp_server.source import Source

_PUBLIC = ("main", "audits", "experiments", "planning", "papers")
_MOST_FOUND = 40
_MOST_WORDS = 40


def search_tables(source: Source, words: str) -> Answer:
    """Find the tables and columns that have the most of the words in their names or meanings.

    Raise PoolhouseError for many words, which would take minutes.
    """
    asked = [re.compile(rf"\b{re.escape(word)}") for word in {*words.lower().split()}]
    if len(asked) > _MOST_WORDS:
        raise PoolhouseError(f"{len(asked)} words are too many: give {_MOST_WORDS} or fewer")
    found = []
    for name, node in _tables(source).items():
        told = [(None, node.kind.value, node.comment), *node.columns]
        for column, kind, comment in told:
            text = f"{name} {column or ''} {comment}".lower()
            n_words = sum(bool(word.search(text)) for word in asked)
            found.append((n_words, name, column, kind, comment))
    most = max(n_words for n_words, *_ in found)
    rows = [rest for n_words, *rest in found if n_words == most > 0]
    notes = [] if rows else ["nothing has any of these words: try the words of evaluation"]
    return Answer(("table", "column", "type", "meaning"), rows, notes, _MOST_FOUND)


def describe_table(source: Source, table: str) -> Answer:
    """Return the columns of a table, and in notes its grain, its key and the filters of a mean.

    Raise PoolhouseError that suggests a similar name.
    """
    known = _tables(source)
    name = table.removeprefix("main.")
    if name not in known:
        raise PoolhouseError(
            f"no public table {name!r} (search_tables finds them){did_you_mean(name, known)}"
        )
    node = known[name]
    return Answer(("column", "type", "meaning"), node.columns, [*_notes(name, node)])


def _notes(name: str, node: Node) -> Sequence[str]:
    notes = [node.comment]
    if node.kind is Kind.MACRO:
        return [*notes, f"a table macro: from {name}({', '.join(node.arguments)})"]
    if key := keys_of_marts().get(node.name):
        notes.append(f"key: {', '.join(key)}")
    if filtered := filters().get(node.name):
        columns = ", ".join(filtered.columns)
        notes.append(f"filter on one value of, or group by: {columns} ({filtered.why})")
    return notes


def _tables(source: Source) -> dict[str, Node]:
    """Return public views and macros by the names that a query has for them, main's first."""
    with source.warehouse.read() as connection:
        chosen = chosen_settings(connection)
    found = {
        node.relation.removeprefix("main."): node
        for node in (known_plan(chosen) or plan_of({})).relations
        if node.kind in (Kind.VIEW, Kind.MACRO) and node.relation.split(".")[0] in _PUBLIC
    }
    return {name: found[name] for name in sorted(found, key=lambda each: "." in each)}
