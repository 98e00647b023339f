"""What a word is, of titles and of documents: lower-cased, `[a-z0-9]+`, unstemmed."""

import re

_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> set[str]:
    """Return the distinct words of a text."""
    return set(_WORD.findall(text.lower()))


def is_word(text: str) -> bool:
    """Say whether a text is one word, as `words_of` gives them."""
    return _WORD.fullmatch(text) is not None
