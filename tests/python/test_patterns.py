"""Test the patterns that meet text of files: none takes long on its worst text."""

import re
from itertools import product
from time import process_time

import pytest

from poolhouse.lake import layout, manifest
from poolhouse.loading import line_files
from poolhouse.loading.parsers import nist_pages, texts, words
from poolhouse.output import latex, markdown, spreadsheets
from poolhouse.pooling import answers
from poolhouse.trec_eval import measures
from poolhouse.warehouse import memory

MODULES = (
    *(nist_pages, texts, words, answers, layout, manifest, measures, memory),
    *(latex, markdown, spreadsheets, line_files),
)

# A pattern that goes back over a text for each of its characters takes seconds on so many.
N = 50_000
SECONDS = 0.5
STARTS = ("", "-", "+", "-1e", "#### ", "- ", "- **", "- :a:", '!!! "', "<docno ", "<a", "&")
REPEATED = (
    *("1", "1.", ".", "-", "- ", " ", "a", "a ", "a.", ":a", "#", "*", "**", '"', "<", "<a"),
    *("<docno", "<docno ", "<!--", "&a", "\\", "/", "'", "1 K", "!!!", "0_", "a=b/"),
)


@pytest.mark.heavy
def test_no_text_takes_long() -> None:
    found = {
        f"{module.__name__}.{name}": value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }
    assert len(found) > 15
    slow = []
    for (name, pattern), start, repeated in product(found.items(), STARTS, REPEATED):
        text = (start + repeated * N)[:N] + "\n!"
        subject = text if isinstance(pattern.pattern, str) else text.encode()
        began = process_time()
        pattern.fullmatch(subject)
        if (seconds := process_time() - began) > SECONDS:
            slow.append((name, start, repeated, seconds))
    assert not slow
