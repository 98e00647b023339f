"""The description of exported files as a Data Package (frictionlessdata.io, version 1).

It is written here and not by a library, because the library would install twenty packages for one
file. In a test, the library validates it, and reads the files by it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from poolhouse.export.marts import Column, Mart, Reference

_TYPES = {
    "BOOLEAN": "boolean",
    "DOUBLE": "number",
    "FLOAT": "number",
    "DATE": "date",
    "TIMESTAMP": "datetime",
    "TIMESTAMP WITH TIME ZONE": "datetime",
    "VARCHAR": "string",
}
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT")
_MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def data_package(
    name: str,
    files: Mapping[Mart, Sequence[Path]],
    references: Mapping[Mart, Sequence[Reference]],
    folder: Path,
    format_: str,
) -> dict[str, object]:
    """Describe the files of each mart: paths, columns, keys."""
    return {
        "profile": "data-package",
        "name": name,
        "title": "Marts of a Poolhouse warehouse",
        "resources": [
            _resource(mart, paths, references[mart], folder, format_)
            for mart, paths in files.items()
            if paths
        ],
    }


def _resource(
    mart: Mart,
    paths: Sequence[Path],
    references: Sequence[Reference],
    folder: Path,
    format_: str,
) -> dict[str, object]:
    places = [path.relative_to(folder).as_posix() for path in paths]
    schema: dict[str, object] = {
        "fields": [_field(column, format_) for column in mart.columns],
        "missingValues": [""],
    }
    if mart.key:
        schema["primaryKey"] = list(mart.key)
    if references:
        schema["foreignKeys"] = [
            {
                "fields": list(reference.columns),
                "reference": {"resource": reference.mart, "fields": list(reference.columns)},
            }
            for reference in references
        ]
    dialect = {"delimiter": ",", "quoteChar": '"', "doubleQuote": True, "header": True}
    return {
        "name": mart.name,
        "description": mart.description,
        "path": places[0] if len(places) == 1 else places,
        "profile": "tabular-data-resource" if format_ == "csv" else "data-resource",
        "format": format_,
        "mediatype": _MEDIA_TYPES[format_],
        "encoding": "utf-8",
        **({"dialect": dialect} if format_ == "csv" else {}),
        "schema": schema,
    }


def _field(column: Column, format_: str) -> dict[str, object]:
    field: dict[str, object] = {
        "name": column.name,
        "type": type_of(column),
        "description": column.description,
    }
    if column.type.startswith("TIMESTAMP") and format_ == "csv":
        field["format"] = "any"
    return field


def type_of(column: Column) -> str:
    """Return the type of a column in Table Schema."""
    if column.is_nested:
        return "array" if column.type.endswith("]") else "object"
    if column.type in _INTEGERS:
        return "integer"
    if column.type.startswith("DECIMAL"):
        return "number"
    return _TYPES.get(column.type, "string")
