"""Words of titles and documents: matches of `[a-z0-9]+` in lower-cased text, unstemmed."""

import re

_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> set[str]:
    """Return the distinct words of a text."""
    return set(_WORD.findall(text.lower()))


def is_word(text: str) -> bool:
    """Return whether a text is one word, as `words_of` gives them."""
    return _WORD.fullmatch(text) is not None
