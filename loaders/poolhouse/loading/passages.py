"""Runs of passages beside judgements of documents: a document counts by its best passage."""

import re
from typing import TYPE_CHECKING

from poolhouse.request_fields import option

if TYPE_CHECKING:
    # No help text waits for data frames.
    import polars as pl


def passages_option(prefix: str = "") -> str | None:
    """Return the field of a request that says what separates a passage from its document."""
    mark: str | None = option(
        f"{prefix}Runs return passages: the mark between the id of the document and the number of "
        "the passage, such as #. A document counts once, by its best passage.",
        metavar="MARK",
    )
    return mark


def of_documents(rows: "pl.DataFrame", mark: str | None) -> "pl.DataFrame":
    """Return the lines of a run with ids of documents: an id of a passage ends at its last mark."""
    if not mark:
        return rows
    import polars as pl  # noqa: PLC0415 - as above

    passage = f"(?s)^(.*){re.escape(mark)}.*$"
    return rows.with_columns(pl.col("docno").str.replace(passage, "$1"))
