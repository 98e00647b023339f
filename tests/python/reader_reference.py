"""Compute the measures whose score is the gain per document that a reader looks at (C/W/L).

A measure is the probability with which the reader goes on after each rank, in its paper's words.
"""

import math
from collections.abc import Callable
from fractions import Fraction

# cwl_eval ends every ranking at this rank.
LAST_RANK = 1000

Continuation = Callable[[int, float, Fraction], float]
"""The probability to go on after a rank, by the gain at this rank and the gain down to it."""


def scaled(grade: int, lowest: int, highest: int) -> Fraction:
    """Return the gain of a document, from 0 to 1."""
    return Fraction(min(max(grade, lowest), highest) - lowest, highest - lowest)


def gain_per_document(gains: list[Fraction], goes_on: Continuation, cutoff: int | None) -> float:
    """Follow the reader down the ranking; below its end, no document has a gain."""
    gained, read, reach, found = 0.0, 0.0, 1.0, Fraction()
    last = min(cutoff or LAST_RANK, LAST_RANK)
    for rank in range(1, last + 1):
        gain = 0.0
        if rank <= len(gains):
            gain = float(gains[rank - 1])
            found += gains[rank - 1]  # exactly: three thirds are what the reader wants
            gained += reach * gain
        read += reach
        reach *= goes_on(rank, gain, found)
    return gained / read


def continuation(name: str, wanted: Fraction, persistence: float) -> Continuation:
    """Return how the reader of a measure goes on."""
    both = float(2 * wanted)

    def insq(rank: int, found: float = 0.0) -> float:
        return ((rank + both - found - 1) / (rank + both - found)) ** 2

    readers: dict[str, Continuation] = {
        "BPM": lambda _rank, _gain, found: float(found < wanted),
        "SDCG": lambda rank, _gain, _found: math.log2(rank + 1) / math.log2(rank + 2),
        "INSQ": lambda rank, _gain, _found: insq(rank),
        "INST": lambda rank, _gain, found: insq(rank, float(found)),
        "NERR8": lambda _rank, gain, _found: 1 - gain,
        "NERR9": lambda rank, gain, _found: rank / (rank + 1) * (1 - gain),
        "NERR10": lambda _rank, gain, _found: persistence * (1 - gain),
        "NERR11": lambda rank, gain, _found: insq(rank) * (1 - gain),
    }
    return readers[name]
