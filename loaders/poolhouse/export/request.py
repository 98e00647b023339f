"""What an export is asked for."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from attrs import field, frozen

from poolhouse.request_fields import option, said


class Format(StrEnum):
    """The format of an export: one database, or a folder of files."""

    DUCKDB = "duckdb"
    PARQUET = "parquet"
    CSV = "csv"
    TREC = "trec"
    SUPERSET = "superset"

    @property
    def has_every_mart(self) -> bool:
        """Return whether the user does not choose its marts."""
        return self in {Format.TREC, Format.SUPERSET}


@frozen
class ExportRequest:
    """The target of an export, its collections and marts. Empty lists stand for all."""

    target: Path
    format: Format = field(
        converter=Format,
        metadata=said(
            "duckdb: a database for any DuckDB client from version 1.1 on. parquet, csv: a folder "
            "of such files with their description. trec: a folder of scores, pools and qrels as "
            "TREC files, and all other files from which `load` makes an equal collection. "
            "superset: a folder with a database, and a dashboard that Superset imports.",
            among=tuple(Format),
        ),
    )
    collections: Sequence[str] = option(
        "Export this collection only; may be repeated.  [default: all built collections]",
        "--collection",
        default=(),
    )
    marts: Sequence[str] = option(
        "Export this mart only; may be repeated.  [default: all]", "--mart", default=()
    )
    replace: bool = option("Replace an earlier export at TARGET.", default=False)
