"""Compare the rows of a warehouse with those of a reference."""

from collections.abc import Iterable

from poolhouse.warehouse.file import Warehouse
from reference import Rows, Value

TOLERANCE = 1e-9
_ROWS_SHOWN = 8


def rows_of(warehouse: Warehouse, mart: str, key: list[str], values: list[str]) -> Rows:
    columns = ", ".join(f'"{column}"' for column in key + values)
    with warehouse.read() as connection:  # `run_query` plans a query twice
        result = connection.execute(f"select {columns} from {mart}").fetchall()
    rows: Rows = {}
    for row in result:
        rows[tuple(row[: len(key)])] = dict(zip(values, row[len(key) :], strict=True))
    assert len(rows) == len(result), f"{mart} has a key twice"
    return rows


def is_same(found: Value, expected: Value) -> bool:
    if isinstance(found, float) and isinstance(expected, float):
        return abs(found - expected) <= TOLERANCE
    return type(found) is type(expected) and found == expected


def differences(found: Rows, expected: Rows) -> list[str]:
    missing, different = [], []
    for key, values in expected.items():
        if (row := found.get(key)) is None:
            missing.append(f"missing: {key}")
            continue
        different += [
            f"{key}: {column} is {row[column]}, expected {value}"
            for column, value in values.items()
            if not is_same(row[column], value)
        ]
    extra = []
    if len(found) + len(missing) != len(expected):
        extra = [f"too many: {key}" for key in found if key not in expected]
    return sorted(missing) + sorted(extra) + sorted(different)


def wrong_rows(warehouse: Warehouse, mart: str, key: str, expected: Rows) -> list[str]:
    """Return how a mart, or the rows of a call, differ from the expected rows with this key."""
    found = rows_of(warehouse, mart, key.split(), list(next(iter(expected.values()), {})))
    named = " ".join(mart.split())[:100]  # a question is a long query
    return [f"{named}: {each}" for each in differences(found, expected)]


def assert_none(wrong: list[str]) -> None:
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:_ROWS_SHOWN]])


def assert_equals(mart: str, key: str, of_each: Iterable[Rows], warehouse: Warehouse) -> None:
    """Compare a mart with the expected rows of all collections."""
    expected: Rows = {}
    for rows in of_each:
        expected |= rows
    assert_none(wrong_rows(warehouse, mart, key, expected))
