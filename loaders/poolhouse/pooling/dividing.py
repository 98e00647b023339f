"""Dividing a list of documents among assessors."""

import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError

# The share of the documents of each assessor that another one judges too.
USUAL_OVERLAP = 0.1
_KEYS = ["topic_id", "doc_id"]
# How much the lists may differ so that topics stay whole, as a part of an equal share.
_MOST_UNEVEN = 0.1
# How far above an equal share whole topics may lead. The first of these that is even enough counts.
_TRIED_ABOVE = (0.1, 0.05, 0.02, 0.0)


def divided(
    documents: pl.DataFrame, n_assessors: int, overlap: float, seed: int
) -> list[pl.DataFrame]:
    """Return the documents of each assessor, which are in no order.

    A topic is that of one assessor, unless the numbers of documents would differ by more than 10 %
    of an equal share. Of the documents of each assessor, the share `overlap`, drawn at random, is
    on the list of another one too. Raise PoolhouseError where there are fewer documents than
    assessors.
    """
    if documents.height < n_assessors:
        raise PoolhouseError(
            f"{documents.height} documents are too few for {n_assessors} assessors: ask for fewer "
            "assessors, or a larger budget"
        )
    draw = np.random.Generator(np.random.PCG64(seed))
    shuffled = documents.sort(_KEYS)[draw.permutation(documents.height)]
    own = _own_documents(shuffled, n_assessors)
    lists = [[each] for each in own]
    for assessor, part in enumerate(own):
        seconds = part[draw.permutation(part.height)[: round(overlap * part.height)]]
        # In turn, so that any two assessors have documents in common.
        for turn in range(1, n_assessors):
            lists[(assessor + turn) % n_assessors].append(seconds[turn - 1 :: n_assessors - 1])
    return [pl.concat(each) for each in lists]


def _own_documents(documents: pl.DataFrame, n_assessors: int) -> list[pl.DataFrame]:
    """Divide the documents, each to one assessor, as evenly as the whole topics allow."""
    equal = documents.height / n_assessors
    for above in _TRIED_ABOVE:
        parts = _whole_topics_first(documents, n_assessors, equal * (1 + above))
        sizes = [each.height for each in parts]
        if max(sizes) - min(sizes) <= max(_MOST_UNEVEN * equal, 1):
            break
    return parts


def _whole_topics_first(
    documents: pl.DataFrame, n_assessors: int, most: float
) -> list[pl.DataFrame]:
    """Give the largest topic first, and to who has the fewest documents; divide what is left."""
    topics = documents.partition_by("topic_id", maintain_order=True)
    parts = [[documents.clear()] for _ in range(n_assessors)]
    sizes = np.zeros(n_assessors, dtype=np.int64)
    left = [documents.clear()]
    for topic in sorted(topics, key=lambda each: (-each.height, each["topic_id"][0])):
        least = int(sizes.argmin())
        if sizes[least] + topic.height > most:
            left.append(topic)
        else:
            parts[least].append(topic)
            sizes[least] += topic.height
    rest = pl.concat(left)
    goals = sizes.copy()
    for _ in range(rest.height):
        goals[goals.argmin()] += 1
    for part, n_more in zip(parts, goals - sizes, strict=True):
        part.append(rest[:n_more])
        rest = rest[n_more:]
    return [pl.concat(each) for each in parts]
