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
    count(*) over ({whole}) as n_rows_,
    count(*) over ({part}) as n_of_part_
from (select *, row_number() over () as position_ from ({sql}))
qualify row_number() over ({part} order by position_) <= coalesce(cast($most as bigint), n_of_part_)
order by position_
"""
_COUNTS = ("n_rows_", "n_of_part_")


@dataclass(frozen=True)
class FirstRows:
    """The first rows of a collection, and the number of all.

    `n_of_part` is the number of all rows of the part to which the first row belongs.
    """

    rows: pl.DataFrame
    n_rows: int
    n_of_part: int

    @classmethod
    def counted(cls, rows: pl.DataFrame) -> "FirstRows":
        """Return rows of `first_rows`, and what they count."""
        n_rows, n_of_part = (0, 0) if rows.is_empty() else rows.select(*_COUNTS).row(0)
        return cls(rows.drop(*_COUNTS), n_rows, n_of_part)


def first_rows(
    warehouse: Warehouse,
    sql: str,
    collections: Sequence[str],
    values: Mapping[str, Sequence[object]] | None = None,
    most: int | None = None,
    by: str | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the first rows of a query for each collection, with the numbers of all.

    The query has the parameter $collections and a column `collection_id`, and ends with its order.
    A query with the parameter $collection, such as one of a macro, is asked for one at a time.
    There are `most` rows at most, for each value of the column `by`. `values` are those of other
    parameters, which are lists with a value for each collection. Raise the errors of `query_frame`.
    """
    if "$collections" not in sql:
        bounded = _bounded(sql, None, by)
        return {
            name: query_frame(
                warehouse,
                bounded,
                {"collection": name, "most": most}
                | {key: value[place] for key, value in (values or {}).items()},
            )
            for place, name in enumerate(collections)
        }
    asked = {"collections": list(collections), "most": most, **(values or {})}
    found = query_frame(warehouse, _bounded(sql, "collection_id", by), asked)
    none = found.clear().drop("collection_id")
    of_each = found.partition_by("collection_id", as_dict=True, include_key=False)
    return {name: of_each.get((name,), none) for name in collections}


def _bounded(sql: str, *columns: str | None) -> str:
    whole, part = (
        f"partition by {', '.join(names)}" if names else ""
        for names in ([each for each in columns[:1] if each], [each for each in columns if each])
    )
    return _BOUNDED.format(sql=f"\n{sql}\n", whole=whole, part=part)
