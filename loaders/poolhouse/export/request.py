"""What an export is asked for."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from attrs import field, frozen

from poolhouse.request_fields import option, said


class Format(StrEnum):
    """The format of an export: one file, or a folder of files."""

    DUCKDB = "duckdb"
    PARQUET = "parquet"
    CSV = "csv"
    TREC = "trec"
    SUPERSET = "superset"
    SEMANTIC = "semantic"
    QUEPID = "quepid"
    RRE = "rre"

    @property
    def is_folder(self) -> bool:
        """Return whether it is a folder of files."""
        return self not in {Format.DUCKDB, Format.SEMANTIC}

    @property
    def is_of_judgements(self) -> bool:
        """Return whether it has files of judged collections, and no marts."""
        return self in {Format.TREC, Format.QUEPID, Format.RRE}

    @property
    def has_every_mart(self) -> bool:
        """Return whether the user does not choose its marts."""
        return self.is_of_judgements or self is Format.SUPERSET


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
            "superset: a folder with a database, and a dashboard that Superset imports. "
            "semantic: a file that describes the marts for agents and BI tools (Apache Ossie). "
            "quepid, rre: a folder of ratings that Quepid or the Rated Ranking Evaluator reads.",
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
