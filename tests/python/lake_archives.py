"""Archives of collections of a page, for lakes."""

import json
from collections.abc import Iterable
from pathlib import Path

from page import QRELS, write_collection

# The judgements with another document: every score that a reader counts differs.
OTHER_QRELS = f"{QRELS}1 0 d5 1\n1 0 d6 0\n"


def write_archive(folder: Path, names: Iterable[str]) -> Path:
    """Write a collection of a page under each name, and return the path of their list."""
    entries = []
    for name in names:
        write_collection(folder / name)
        entries.append(
            {
                "collection": name,
                "runs": f"{name}/runs",
                "qrels": f"{name}/qrels.txt",
                "descriptions": f"{name}/runs.csv",
                "depth": 2,
            }
        )
    path = folder / "archive.yml"
    path.write_text(json.dumps(entries))  # JSON is YAML
    return path
