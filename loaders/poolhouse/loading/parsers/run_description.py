"""What a file declares about a run."""

from dataclasses import dataclass


def printable_words(text: str) -> str | None:
    """Return a text on one line, with a mark for each character that is not printable.

    Return None for a text without words.
    """
    return (
        "".join(
            each if each.isprintable() else "\N{REPLACEMENT CHARACTER}"
            for each in " ".join(text.split())
        )
        or None
    )


@dataclass(frozen=True)
class RunDescription:
    """The declarations of one run, as columns of raw.descriptions. None: nothing is declared."""

    run_id: str
    organization: str
    run_type: str | None = None
    is_pooled: bool | None = None
    pool_depth: int | None = None
    description: str | None = None
    task: str | None = None
