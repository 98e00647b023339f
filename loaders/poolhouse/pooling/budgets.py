"""Dividing a budget of judgements among topics."""

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


def equal_shares(budget: int, available: Counts) -> Counts:
    """Return the number of documents of each topic, where topics share a budget equally.

    `available` has the documents of each topic. A topic with fewer documents than its share leaves
    the rest to the others, and the first topics have one document more where the budget does not
    divide. So the documents with the lowest places are chosen, topic by topic (pool_documents).
    """
    shares = np.zeros_like(available)
    left = min(budget, int(available.sum()))
    while left:
        open_topics = np.flatnonzero(shares < available)
        each = left // len(open_topics)
        if not each:
            shares[open_topics[:left]] += 1
            break
        more = np.minimum(available[open_topics] - shares[open_topics], each)
        shares[open_topics] += more
        left -= int(more.sum())
    return shares
