"""The description of exported files, as a Data Package and as Croissant metadata.

Both are written from the same tables, and here: their libraries would install dozens of packages
for two files. In a test, the libraries validate both, and read the files by them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import quote

from poolhouse.export.marts import Column, Mart


@dataclass(frozen=True)
class Table:
    """A mart in an export: its file with its SHA-256, and columns that are keys of other marts.

    `references` are such columns by the name of the other mart.
    """

    mart: Mart
    file: str
    digest: str
    references: Mapping[str, Sequence[str]]


TITLE = "Marts of a Poolhouse warehouse: pools, scores and pooling bias of test collections."


class Types(NamedTuple):
    """The type of a column, as Table Schema, Croissant and Apache Ossie name it."""

    table_schema: str
    croissant: str
    ossie: str | None


# By the type in the engine; the first that matches counts. Ossie has no lists.
_TYPES = {
    r".*\]": Types("array", "sc:Text", None),
    r"BOOLEAN": Types("boolean", "sc:Boolean", "Boolean"),
    r"(BIG)?INT(EGER)?": Types("integer", "sc:Integer", "Integer"),
    r"DOUBLE|FLOAT": Types("number", "sc:Float", "Float"),
    r"TIMESTAMP": Types("datetime", "sc:DateTime", "DateTime"),
    r".*": Types("string", "sc:Text", "String"),
}


def types_of(column: Column) -> Types:
    """Return how other tools name the type of a column."""
    return next(types for kind, types in _TYPES.items() if re.fullmatch(kind, column.type))


# ------------------------------------------------------- Data Package (frictionlessdata.io, 1.0)


def data_package(name: str, tables: Sequence[Table], format_: str) -> dict[str, object]:
    """Describe the files, columns and keys of each mart. What is a default is left out."""
    return {
        "profile": "data-package",
        "name": name,
        "title": "Marts of a Poolhouse warehouse",
        "resources": [_resource(table, format_) for table in tables],
    }


def _resource(table: Table, format_: str) -> dict[str, object]:
    return {
        "name": table.mart.name,
        "description": table.mart.description,
        "path": table.file,
        "profile": "tabular-data-resource" if format_ == "csv" else "data-resource",
        "format": format_,
        "schema": dict(_schema(table, format_)),
    }


def _schema(table: Table, format_: str) -> Iterator[tuple[str, object]]:
    yield (
        "fields",
        [
            {
                "name": column.name,
                "type": (type_ := types_of(column).table_schema),
                "description": column.description,
                # Times have fractions of seconds, which the default format does not have.
                **({"format": "any"} if type_ == "datetime" and format_ == "csv" else {}),
            }
            for column in table.mart.columns
        ],
    )
    if table.mart.key:
        yield "primaryKey", table.mart.key
    if table.references:
        yield (
            "foreignKeys",
            [
                {"fields": columns, "reference": {"resource": mart, "fields": columns}}
                for mart, columns in table.references.items()
            ],
        )


# ---------------------------------------------------------------------- Croissant (MLCommons, 1.1)

_MEDIA_TYPES = {
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".yml": "application/yaml",
}
_VERSION = "http://mlcommons.org/croissant/1.1"

# The context of the specification.
_TERMS = """
annotation arrayShape citeAs column containedIn equivalentProperty excludes extract field fileObject
fileProperty fileSet format includes isArray isLiveDataset jsonPath key md5 parentField readLines
recordSet references regex sdVersion separator source subField transform unArchive value
"""
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS.split()},
}


def croissant(name: str, tables: Sequence[Table], published: date) -> dict[str, object]:
    """Describe each file with its hash, and the columns of each mart as a record set."""
    return {
        **_data_set(name, TITLE, [(table.file, table.digest) for table in tables], published),
        "recordSet": [_record_set(table) for table in tables],
    }


def card(
    name: str,
    description: str,
    facts: Mapping[str, Sequence[str]],
    files: Sequence[tuple[str, str]],
    published: date,
) -> dict[str, object]:
    """Describe a collection: each file with its hash, and facts by Croissant's words for them.

    The words are those of its vocabulary for responsible use (RAI 1.0).
    """
    data_set = _data_set(name, description, files, published)
    return {
        **data_set,
        "@context": {**_CONTEXT, "rai": "http://mlcommons.org/croissant/RAI/"},
        "conformsTo": [_VERSION, "http://mlcommons.org/croissant/RAI/1.0"],
        **{f"rai:{word}": list(values) for word, values in facts.items() if values},
    }


def _data_set(
    name: str, description: str, files: Sequence[tuple[str, str]], published: date
) -> dict[str, object]:
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _VERSION,
        "name": name,
        "description": description,
        "datePublished": published.isoformat(),
        "distribution": [_file_object(file, digest) for file, digest in files],
    }


def _file_object(file: str, digest: str) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": file,
        "name": file,
        "contentUrl": quote(file),
        "encodingFormat": _MEDIA_TYPES[PurePosixPath(file).suffix],
        "sha256": digest,
    }


def _data_type(column: Column, file: str) -> dict[str, object]:
    """Return the type of a column, or of the elements of its lists, which CSV has as JSON."""
    element = column.type.removesuffix("[]")
    if element == column.type or file.endswith(".csv"):
        return {"dataType": types_of(column).croissant}
    data_type = types_of(replace(column, type=element)).croissant
    return {"dataType": data_type, "isArray": True, "arrayShape": "-1"}


def _record_set(table: Table) -> dict[str, object]:
    mart = table.mart
    return {
        "@type": "cr:RecordSet",
        "@id": f"{mart.name}#rows",
        "name": mart.name,
        "description": mart.description,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{mart.name}#rows/{column.name}",
                "name": column.name,
                "description": column.description,
                **_data_type(column, table.file),
                "source": {
                    "fileObject": {"@id": table.file},
                    "extract": {"column": column.name},
                },
            }
            for column in mart.columns
        ],
    }
