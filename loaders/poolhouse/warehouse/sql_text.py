"""Quoting of names and texts in SQL, for any content."""


def quoted_name(name: str) -> str:
    """Write the name of a column or relation."""
    return '"{}"'.format(name.replace('"', '""'))


def quoted_text(text: str) -> str:
    """Write a text."""
    return "'{}'".format(text.replace("'", "''"))
