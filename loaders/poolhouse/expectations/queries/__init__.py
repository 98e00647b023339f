"""The statements of a check, a file each."""

from pathlib import Path


def query(name: str) -> str:
    """Return the text of a statement."""
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")
