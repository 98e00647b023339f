"""The text of an answer: JSON with a row a line, no longer than an agent can read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from poolhouse.errors import PoolhouseError
from poolhouse.output.cells import json_text, safe_json

MOST_ROWS = 200
# More rows are not counted: `at least` says so.
MOST_COUNTED = 10_000
MOST_CHARACTERS = 40_000
_LONGEST_TEXT = 2000
_BETWEEN = ",\n"
# What is around the lists, and the note on rows that are left out.
_OF_MARKS = 500
_DIGITS = 10


@dataclass(frozen=True)
class Answer:
    """Rows, and notes that an agent reads before them. `most` is the number of rows that it gets.

    More rows than are counted may be left out where the answer has one more than are counted.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()
    most: int = MOST_ROWS


def text_of(answer: Answer) -> str:
    """Return an answer as JSON. Nothing of it is a control code.

    Raise PoolhouseError where the names of its columns alone are too long.
    """
    columns = _json([shortened(each) for each in answer.columns])
    if len(columns) > MOST_CHARACTERS // 2:
        raise PoolhouseError(f"{len(answer.columns)} columns are too many: name fewer")
    notes = [_json(shortened(each)) for each in answer.notes]
    n_taken = _OF_MARKS + len(columns) + sum(map(len, notes))
    rows = list(_lines(answer, MOST_CHARACTERS - n_taken))
    notes = [*map(_json, _left_out(len(rows), len(answer.rows))), *notes]
    lists = {"notes": _list(notes)} if notes else {}
    lists |= {"columns": columns, "rows": _list(rows)}
    return "{" + _BETWEEN.join(f'"{name}": {part}' for name, part in lists.items()) + "}"


def _list(parts: Sequence[str]) -> str:
    return "[\n" + _BETWEEN.join(parts) + "\n]" if parts else "[]"


def _lines(answer: Answer, n_left: int) -> Iterator[str]:
    for row in answer.rows[: answer.most]:
        line = _json([shortened(value) for value in row])
        n_left -= len(line) + len(_BETWEEN)
        if n_left < 0:
            return
        yield line


def _left_out(n_shown: int, n_rows: int) -> Iterator[str]:
    if n_shown < n_rows:
        left = (
            f"at least {MOST_COUNTED + 1 - n_shown}" if n_rows > MOST_COUNTED else n_rows - n_shown
        )
        yield (
            f"these are the first {n_shown} rows, and {left} more are left out: ask for fewer rows "
            f"or columns, or for a summary (an answer has at most {MOST_CHARACTERS} characters)"
        )


def _json(value: object) -> str:
    return safe_json(json_text(value))


def shortened(value: object) -> object:
    """Cut long texts, and round fractions: their last digits depend on the order of a sum."""
    if isinstance(value, str) and (more := len(value) - _LONGEST_TEXT) > 0:
        return f"{value[:_LONGEST_TEXT]} ... and {more} more characters"
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {name: shortened(part) for name, part in value.items()}
    return [*map(shortened, value)] if isinstance(value, list | tuple) else value
