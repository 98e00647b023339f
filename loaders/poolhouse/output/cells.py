"""Writing a value: for people in a cell, and in JSON with all its digits."""

import json
import math
import re
from datetime import date, datetime
from decimal import Decimal

from poolhouse.output.printable import printable

_SMALLEST_SHOWN = 0.0005
_TO_SECONDS = "%Y-%m-%d %H:%M:%S"

_NOT_ASCII = re.compile(r"[^\n -~]")

_HAD_BY_JSON = str | int | bool | Decimal | None


class JsonText(str):
    """JSON that the engine keeps as a text. In a JSON result it is a nested value."""

    __slots__ = ()

    def parsed(self) -> object:
        """Return the JSON value, or the text if it cannot be read."""
        import simplejson  # noqa: PLC0415 - most results have none

        try:
            return simplejson.loads(self, use_decimal=True)
        except ValueError:
            return str(self)


def as_text(value: object) -> str:
    """Write a value for people, without characters that a terminal would obey."""
    if value is None:
        return ""
    if isinstance(value, float):
        # Four decimals, as trec_eval prints scores, or significant digits for smaller numbers.
        is_shown = value == 0 or abs(value) >= _SMALLEST_SHOWN
        return f"{value:.4f}" if is_shown else f"{value:.2e}"
    if isinstance(value, datetime):
        return value.strftime(_TO_SECONDS)
    if isinstance(value, dict | list | tuple):
        value = json_text(value)
    return "\n".join(map(printable, str(value).splitlines()))


def json_text(value: object, indent: int | None = None) -> str:
    """Write JSON. A decimal is a number with all its digits."""
    import simplejson  # noqa: PLC0415 - most results have none

    return str(
        simplejson.dumps(
            _as_json(value), indent=indent, ensure_ascii=False, use_decimal=True, allow_nan=False
        )
    )


def safe_json(text: str, *, is_unicode: bool = True) -> str:
    """Escape the characters of JSON that a terminal would obey, or all that are not ASCII."""

    def escaped(match: re.Match[str]) -> str:
        char = match.group()
        return char if is_unicode and char.isprintable() else json.dumps(char)[1:-1]

    return _NOT_ASCII.sub(escaped, text)


def _as_json(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _as_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(part) for part in value]
    if isinstance(value, JsonText):
        return value.parsed()
    return value if isinstance(value, _HAD_BY_JSON) else str(value)
