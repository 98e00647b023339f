"""Rows as a file inside the page: CSV behind a link, in which no cell is a formula."""

import base64
import csv
import io

import polars as pl

from poolhouse.output.spreadsheets import guarded


def csv_link(rows: pl.DataFrame) -> str:
    """Return the rows as the address of a link: CSV in UTF-8, which is part of the address."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(rows.columns)
    writer.writerows([guarded(value) for value in row] for row in rows.iter_rows())
    content = base64.b64encode(text.getvalue().encode()).decode()
    return f"data:text/csv;charset=utf-8;base64,{content}"
