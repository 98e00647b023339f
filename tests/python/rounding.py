"""Numbers that are computed twice from the same files may differ in the last bits: round them.

The order of the threads decides in which order a sum is added up, and so its last bits, and the
sign of a 0 (docs/export.md). Two builds compute twice, and so do two commands that score runs.
Stored values of one build are compared as they are.
"""

import polars as pl
import polars.selectors as cs

DECIMALS = 9

_FLOATS = ("DOUBLE", "FLOAT")


def rounded(value: str, data_type: str) -> str:
    """Return the SQL of a column's value, which is rounded if it is a float."""
    return f"round({value}, {DECIMALS}) + 0.0" if data_type in _FLOATS else value


def with_rounded_floats(rows: pl.DataFrame) -> pl.DataFrame:
    """Round every column of floats."""
    return rows.with_columns(cs.float().round(DECIMALS) + 0.0)
