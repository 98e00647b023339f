"""The marts as a semantic model, in the form of Apache Ossie (before: Open Semantic Interchange).

The model has what the marts, the dashboard, the cookbook and two tables of the docs say already.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

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
    relationships: list[dict[str, object]] = []
    for mart in marts:
        if not (keys := key_columns(mart)).columns:
            continue
        rows = select_rows(keys, collections, as_it_is)
        distinct = f"select distinct * from ({rows})"  # noqa: S608 - names are quoted
        connection.execute(f"create or replace temp table {_ROWS} as {distinct}")
        relationships += (
            {"name": f"{mart.name}_to_{target}", "from": mart.name, "to": target}
            | {"from_columns": columns, "to_columns": columns}
            for target, columns in references_of(connection, mart, _ROWS, targets)
        )
    words, need_filters = table_of("glossary", "word"), filters()
    synonyms = {row["word"].replace(" ", "_"): row["also called"] for row in words}
    meanings = [f"{row['word']}: {_plain(row['meaning'])}" for row in words]
    unfiltered = [mart for mart in marts if mart.name not in need_filters]
    model = {
        "version": _VERSION,
        "name": "poolhouse",
        "description": TITLE,
        "ai_context": {
            "instructions": "\n".join((*_RULES, *meanings)),
            "examples": [entry.question for entry in entries()],
        },
        "datasets": [_data_set(mart, need_filters.get(mart.name), synonyms) for mart in marts],
        "relationships": relationships,
        "metrics": [metric for mart in unfiltered for metric in _metrics(mart)],
    }
    write_json(file, model)


def _data_set(mart: Mart, needed: Filter | None, synonyms: Mapping[str, str]) -> dict[str, object]:
    advice = needed and (
        "Filter on one value of each column, or group by it: "
        f"{', '.join(needed.columns)} ({_plain(needed.why)})"
    )
    return _told(
        name=mart.name,
        source=f"{mart.schema}.{mart.name}",
        primary_key=mart.key,
        description=mart.description,
        ai_context=_told(instructions=advice),
        fields=[_field(column, mart.key, synonyms) for column in mart.columns],
    )


def _field(column: Column, key: Sequence[str], synonyms: Mapping[str, str]) -> dict[str, object]:
    datatype = types_of(column).ossie
    is_dimension = column.name in key or datatype in {"String", "Boolean", "DateTime"}
    known = synonyms.get(column.name.removesuffix("_id"))
    return _told(
        name=column.name,
        expression=_expression(column.name),
        dimension=is_dimension and {"is_time": datatype == "DateTime"},
        description=column.description,
        datatype=datatype,
        ai_context=_told(synonyms=known and known.split(", ")),
    )


def _metrics(mart: Mart) -> Iterator[dict[str, object]]:
    """Yield the metrics that the dashboard has of a mart, with the mart before each column."""
    column = re.compile(rf"\b({'|'.join(mart.names)})\b")
    for name, sql in declared()["metrics"].get(mart.name, {}).items():
        yield {
            "name": re.sub(r"\W+", "_", f"{mart.name} {name}".lower()),
            "expression": _expression(column.sub(rf"{mart.name}.\1", sql)),
            "description": f"{name}, of the rows of {mart.name}",
        }


def _told(**values: object) -> dict[str, object]:
    """Return the values without what is empty."""
    return {name: value for name, value in values.items() if value}


def _expression(sql: str) -> dict[str, object]:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}


def _plain(text: str) -> str:
    """Return Markdown without links and marks of code."""
    return re.sub(r" ?\(?\[[^]]*\]\([^)]*\)\)?|`", "", text).rstrip(".")
