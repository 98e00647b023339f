"""Text without characters that a terminal would obey."""

_LONGEST_LINE = 2000


def printable(text: str) -> str:
    """Replace characters that a terminal would obey: control and format characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def one_line(text: str) -> str:
    """Make one line of a message that may hold names and values of any length from files."""
    more = len(text) - _LONGEST_LINE
    return printable(text[:_LONGEST_LINE]) + (f" ... and {more} more characters" * (more > 0))
