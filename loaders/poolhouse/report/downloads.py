"""Rows as a CSV file inside the page, behind a link. No cell is a formula."""

import base64
import csv
import io

import polars as pl

from poolhouse.output.spreadsheets import guarded


def csv_link(rows: pl.DataFrame) -> str:
    """Return the address of a link that contains the rows as CSV in UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(rows.columns)
    writer.writerows([guarded(value) for value in row] for row in rows.iter_rows())
    content = base64.b64encode(text.getvalue().encode()).decode()
    return f"data:text/csv;charset=utf-8;base64,{content}"
