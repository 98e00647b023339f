"""Cells that a spreadsheet does not run as formulas."""

import re

# OWASP, "CSV injection": an apostrophe before these makes the cell a text. The last four are wide
# forms of the first, which some spreadsheets take for them.
_STARTS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")
_A_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


def guarded(value: object) -> object:
    """Return the value, with an apostrophe before a text that a spreadsheet would run."""
    is_formula = isinstance(value, str) and value.startswith(_STARTS_OF_FORMULAS)
    return f"'{value}" if is_formula and not _A_NUMBER.fullmatch(str(value)) else value
