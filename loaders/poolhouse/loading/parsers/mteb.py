"""MTEB's predictions: the scores of documents by topic, below the subset and split of a task."""

from typing import Any

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.output.words import some_of

# What MTEB says of the model, beside the subsets.
_MODEL = "mteb_model_meta"


def topics_of_mteb(source: SourceFile, content: dict[str, Any]) -> dict[str, Any]:
    """Return the topics of the one subset and split in a file of MTEB; other JSON as it is.

    Raise BadFileError where it has several of them, whose topics may have the same ids, or none.
    """
    if _MODEL not in content:
        return content
    parts = {
        f"{subset}/{split}": topics
        for subset, splits in content.items()
        if subset != _MODEL and isinstance(splits, dict)
        for split, topics in splits.items()
    }
    if len(parts) == 1 and isinstance(topics := next(iter(parts.values())), dict):
        return topics
    names = some_of([source.quoted(each) for each in parts]) or "no subset and split"
    problem = f"holds predictions of MTEB for {names}"
    raise BadFileError(source.path, f"{problem}: write the topics of one of them into a file")
