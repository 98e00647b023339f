"""The description of exported files as Croissant metadata (MLCommons, version 1.0).

Like the Data Package, it is written here, and the library validates it in a test.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import file_digest
from pathlib import Path

from poolhouse.export.data_package import type_of
from poolhouse.export.marts import Mart

_MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/x-parquet"}
_TYPES = {
    "boolean": "sc:Boolean",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
}

# The context of the specification, version 1.0.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(
    name: str,
    files: Mapping[Mart, Sequence[Path]],
    folder: Path,
    format_: str,
    exported_at: datetime,
) -> dict[str, object]:
    """Describe each file with its hash, and its columns as a record set."""
    distribution = []
    record_sets = []
    for mart, paths in files.items():
        for path in paths:
            place = path.relative_to(folder).as_posix()
            with path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
            distribution.append(
                {
                    "@type": "cr:FileObject",
                    "@id": place,
                    "name": place,
                    "contentUrl": place,
                    "encodingFormat": _MEDIA_TYPES[format_],
                    "sha256": digest,
                }
            )
            record_sets.append(_record_set(mart, place, is_only=len(paths) == 1))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": "Marts of a Poolhouse warehouse: pools, scores and pooling bias of test "
        "collections.",
        "datePublished": exported_at.date().isoformat(),
        "distribution": distribution,
        "recordSet": record_sets,
    }


def _record_set(mart: Mart, place: str, *, is_only: bool) -> dict[str, object]:
    name = mart.name if is_only else place
    return {
        "@type": "cr:RecordSet",
        "@id": f"{name}#rows",
        "name": name,
        "description": mart.description,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}#rows/{column.name}",
                "name": column.name,
                "description": column.description,
                "dataType": _TYPES.get(type_of(column), "sc:Text"),
                "source": {
                    "fileObject": {"@id": place},
                    "extract": {"column": column.name},
                },
            }
            for column in mart.columns
        ],
    }
