"""The description of exported files, as a Data Package and as Croissant metadata.

Both are written from the same tables, and here: their libraries would install dozens of packages
for two files. In a test, the libraries validate both, and read the files by them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
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


# Types of the engine, as Table Schema and as Croissant name them; the first that matches counts.
_TYPES = {
    r".*\]": ("array", "sc:Text"),
    r"BOOLEAN": ("boolean", "sc:Boolean"),
    r"(BIG)?INT(EGER)?": ("integer", "sc:Integer"),
    r"DOUBLE|FLOAT": ("number", "sc:Float"),
    r"TIMESTAMP": ("datetime", "sc:DateTime"),
    r".*": ("string", "sc:Text"),
}


def _types(column: Column) -> tuple[str, str]:
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
                "type": (type_ := _types(column)[0]),
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


# ---------------------------------------------------------------------- Croissant (MLCommons, 1.0)

_MEDIA_TYPES = {
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".yml": "application/yaml",
}
_VERSION = "http://mlcommons.org/croissant/1.0"

# The context of the specification.
_TERMS = """
citeAs column extract field fileObject fileProperty fileSet format includes isLiveDataset jsonPath
key md5 parentField path recordSet references regex repeated replace separator source subField
transform
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
    text = "Marts of a Poolhouse warehouse: pools, scores and pooling bias of test collections."
    return {
        **_data_set(name, text, [(table.file, table.digest) for table in tables], published),
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
                "dataType": _types(column)[1],
                "source": {
                    "fileObject": {"@id": table.file},
                    "extract": {"column": column.name},
                },
            }
            for column in mart.columns
        ],
    }
