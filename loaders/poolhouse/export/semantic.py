"""The marts as a semantic model, in the form of Apache Ossie (before: Open Semantic Interchange).

The model has what the marts, the dashboard, the cookbook and two tables of the docs say already.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from poolhouse.cookbook.entries import entries
from poolhouse.documentation import Filter, filters, table_of
from poolhouse.export.copies import as_it_is, relation_of, select_rows
from poolhouse.export.descriptions import TITLE, types_of
from poolhouse.export.mart_files import write_json
from poolhouse.export.marts import (
    COLLECTION,
    Column,
    Mart,
    key_columns,
    keys_of_targets,
    references_of,
)
from poolhouse.export.superset.bundle import declared

_VERSION = "0.2.0.dev0"
_RULES = (
    f"Rows belong to collections: filter or group by {COLLECTION}.",
    "Read audit_collections.verdict before you compare runs of a collection.",
    "Null is unknown, and not 0.",
)
_ROWS = "temp.keys_of_rows"


def write_semantic_model(
    connection: duckdb.DuckDBPyConnection,
    marts: Sequence[Mart],
    collections: Sequence[str],
    file: Path,
) -> None:
    """Write the model of the marts, with the references that hold for rows of the collections."""
    targets = keys_of_targets(connection, {mart.name: relation_of(mart) for mart in marts})
    references = {}
    for mart in marts:
        if not (keys := key_columns(mart)).columns:
            continue
        rows = select_rows(keys, collections, as_it_is)
        distinct = f"select distinct * from ({rows})"  # noqa: S608 - names are quoted
        connection.execute(f"create or replace temp table {_ROWS} as {distinct}")
        references[mart.name] = dict(references_of(connection, mart, _ROWS, targets))
    write_json(file, _model(marts, references))


def _model(
    marts: Sequence[Mart], references: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, Any]:
    """Describe marts, the marts to which their rows refer, and metrics that need no filter."""
    filtered = filters()
    words = table_of("glossary", "word")
    meanings = [f"{row['word']}: {_plain(row['meaning'])}" for row in words]
    synonyms = {
        row["word"].replace(" ", "_"): row["also called"].split(", ")
        for row in words
        if row["also called"]
    }
    return {
        "version": _VERSION,
        "name": "poolhouse",
        "description": TITLE,
        "ai_context": {
            "instructions": "\n".join((*_RULES, *meanings)),
            "examples": [entry.question for entry in entries()],
        },
        "datasets": [_data_set(mart, filtered.get(mart.name), synonyms) for mart in marts],
        "relationships": [
            {
                "name": f"{mart}_to_{target}",
                "from": mart,
                "to": target,
                "from_columns": columns,
                "to_columns": columns,
            }
            for mart, targets in references.items()
            for target, columns in targets.items()
        ],
        "metrics": [
            metric for mart in marts if mart.name not in filtered for metric in _metrics(mart)
        ],
    }


def _data_set(
    mart: Mart, filtered: Filter | None, synonyms: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    context = {}
    if filtered:
        columns = ", ".join(filtered.columns)
        advice = f"Filter on one value of each column, or group by it: {columns} ({filtered.why})."
        context = {"instructions": _plain(advice)}
    return {
        "name": mart.name,
        "source": f"{mart.schema}.{mart.name}",
        **({"primary_key": mart.key} if mart.key else {}),
        "description": mart.description,
        **({"ai_context": context} if context else {}),
        "fields": [_field(column, mart.key, synonyms) for column in mart.columns],
    }


def _field(
    column: Column, key: Sequence[str], synonyms: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    datatype = types_of(column).ossie
    is_dimension = column.name in key or datatype in {"String", "Boolean", "DateTime"}
    known = synonyms.get(column.name.removesuffix("_id"))
    return {
        "name": column.name,
        "expression": _expression(column.name),
        **({"dimension": {"is_time": datatype == "DateTime"}} if is_dimension else {}),
        "description": column.description,
        **({"datatype": datatype} if datatype else {}),
        **({"ai_context": {"synonyms": known}} if known else {}),
    }


def _metrics(mart: Mart) -> Iterator[dict[str, Any]]:
    """Yield the metrics that the dashboard has of a mart, with the mart before each column."""
    column = re.compile(rf"\b({'|'.join(mart.names)})\b")
    for name, sql in declared()["metrics"].get(mart.name, {}).items():
        yield {
            "name": re.sub(r"\W+", "_", f"{mart.name} {name}".lower()),
            "expression": _expression(column.sub(rf"{mart.name}.\1", sql)),
            "description": f"{name}, of the rows of {mart.name}",
        }


def _expression(sql: str) -> dict[str, Any]:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}


def _plain(text: str) -> str:
    """Return Markdown without links and marks of code."""
    return re.sub(r" ?\(?\[[^]]*\]\([^)]*\)\)?|`", "", text).rstrip(".")
