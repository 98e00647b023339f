"""Names and texts as SQL writes them, whatever is in them."""


def quoted_name(name: str) -> str:
    """Write the name of a column or relation."""
    return '"{}"'.format(name.replace('"', '""'))


def quoted_text(text: str) -> str:
    """Write a text."""
    return "'{}'".format(text.replace("'", "''"))
