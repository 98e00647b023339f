"""Compute titlestat from the files, as the models must compute it."""

import re
from collections.abc import Collection, Mapping
from statistics import mean

# Lucene's stop words.
_STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with"
)


def words(text: str) -> set[str]:
    return set(re.findall("[a-z0-9]+", text.lower()))


def titlestat_of_topic(
    title: str,
    documents: Collection[str],
    texts: Mapping[str, str],
    frequencies: Mapping[str, int],
) -> float | None:
    """Return the mean over the words of a title; None where no word counts."""
    held = [words(texts[document]) for document in documents]
    shares = []
    for word in words(title) - words(_STOP_WORDS):
        if held and frequencies[word]:
            share = sum(word in each for each in held) / len(held)
            shares.append(share / min(1, frequencies[word] / len(held)))
    return mean(shares) if shares else None


def titlestats(
    titles: Mapping[str, str],
    documents: Mapping[str, Collection[str]],
    texts: Mapping[str, str],
    frequencies: Mapping[str, int],
) -> dict[str, float]:
    """Return titlestat of every topic that has one."""
    found = {
        topic: titlestat_of_topic(title, documents.get(topic, ()), texts, frequencies)
        for topic, title in titles.items()
    }
    return {topic: value for topic, value in found.items() if value is not None}
