"""What a build of a lake is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from poolhouse.request_fields import option, said

if TYPE_CHECKING:
    # No help text waits for it.
    from poolhouse.loading.request import LoadRequest


@frozen
class LakeRequest:
    """What to build: the collections, the engine's address (None: here), and what to keep.

    `keeps_raw` keeps the lines of run files; None does as the previous build of the collection.
    `settings` are settings of the models that differ from the project's own; None keeps those of
    the lake. `environment` is a packed environment of Python for the executors. `broken` says by
    name which collections cannot be loaded, and why: they count as failed.
    """

    lake: str = field(
        metadata=said(
            "The lake: a folder, or the address of a folder in an object store (s3://, gs://).",
            "--to",
            metavar="LAKE",
        )
    )
    collections: "Sequence[LoadRequest]"
    spark: str | None = option(
        "Run one task a collection on this engine: sc://HOST:PORT (Spark Connect, or Sail), "
        "spark://HOST:PORT or local[N].  [default: build here, one after the other]",
        metavar="URL",
    )
    environment: Path | None = option(
        "Send this packed environment of Python (venv-pack) to the executors, which have no "
        "Poolhouse of their own.",
        metavar="FILE",
        is_file=True,
    )
    keeps_raw: bool | None = option(
        "Keep the lines of the run files too.  [default: as in the previous build of the "
        "collection, or no]",
        "--raw/--no-raw",
    )
    settings: Mapping[str, Any] | None = None
    broken: Mapping[str, str] = field(factory=dict)
