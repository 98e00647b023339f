"""The first rows of a query for each of many collections: bounded in SQL, and asked at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

# The engine numbers the rows of a query in the order with which it ends.
_BOUNDED = """
select
    * exclude (position_),
    count(*) over (partition by collection_id) as n_rows_,
    count(*) over ({part}) as n_of_part_
from (select *, row_number() over () as position_ from ({sql}))
qualify row_number() over ({part} order by position_) <= coalesce(cast($most as bigint), n_of_part_)
order by position_
"""
_COUNTS = ("n_rows_", "n_of_part_")
_OF_ONE = "select cast($collection as varchar) as collection_id, * from ({sql})"


@dataclass(frozen=True)
class Bound:
    """How many rows of a collection are returned: of each value of the column `by`, if any."""

    most: int | None = None
    by: str | None = None


_ALL = Bound()


@dataclass(frozen=True)
class FirstRows:
    """The first rows of a collection, and the number of all.

    `n_of_part` is the number of all rows of the part to which the first row belongs.
    """

    rows: pl.DataFrame
    n_rows: int
    n_of_part: int

    @classmethod
    def of_each(cls, rows: pl.DataFrame, collections: Sequence[str]) -> "dict[str, FirstRows]":
        """Return the rows of `first_rows` for each collection."""
        of_each = rows.partition_by("collection_id", as_dict=True, include_key=False)
        none = rows.clear().drop("collection_id")
        return {name: cls._counted(of_each.get((name,), none)) for name in collections}

    @classmethod
    def _counted(cls, rows: pl.DataFrame) -> "FirstRows":
        n_rows, n_of_part = (0, 0) if rows.is_empty() else (rows[each][0] for each in _COUNTS)
        return cls(rows.drop(*_COUNTS), n_rows, n_of_part)


def first_rows(
    warehouse: Warehouse,
    sql: str,
    collections: Sequence[str],
    values: Mapping[str, Sequence[object]] | None = None,
    bound: Bound = _ALL,
) -> pl.DataFrame:
    """Return the first rows of a query for each collection, with the numbers of all.

    The query has the parameter $collections and a column `collection_id`, and ends with its order.
    A query with the parameter $collection, such as one of a macro, is asked for one at a time.
    `values` are those of other parameters, which are lists with a value for each collection. Raise
    the errors of `query_frame`.
    """
    part = "partition by collection_id" + (f", {bound.by}" if bound.by else "")
    given, most = values or {}, bound.most
    if "$collections" in sql:
        asked = {"collections": list(collections), "most": most, **given}
        return query_frame(warehouse, _BOUNDED.format(sql=_inside(sql), part=part), asked)
    bounded = _BOUNDED.format(sql=_OF_ONE.format(sql=_inside(sql)), part=part)
    return pl.concat(
        query_frame(
            warehouse,
            bounded,
            {"collection": name, "most": most} | {key: of[place] for key, of in given.items()},
        )
        for place, name in enumerate(collections)
    )


def _inside(sql: str) -> str:
    """Return a query for parentheses: it may end with a comment."""
    return f"\n{sql}\n"
