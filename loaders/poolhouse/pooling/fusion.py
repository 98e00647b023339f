"""Condorcet-fuse: a merged ranking by majorities, which is no sum over runs."""

from collections.abc import Iterator
from functools import cmp_to_key

import numpy as np

from poolhouse.pooling.lists import TopicLists


def condorcet(lists: TopicLists) -> Iterator[int]:
    """Sort the documents so that a document is above another where more runs rank it so.

    A run ranks a document that it returns above one that it lacks. Majorities may go round in a
    circle, so that the result depends on the way of sorting: a stable merge sort, from the order
    by the sum of the ranks. Montague & Aslam 2002, section 3.
    """
    runs, documents, ranks = lists.entries
    missing = lists.n_documents + 1
    table = np.full((lists.n_documents, lists.n_runs), missing, dtype=np.int32)
    table[documents, runs] = ranks

    def order(one: int, other: int) -> int:
        return int(np.sign(table[one] - table[other]).sum())

    by_ranks = np.argsort(table.sum(axis=1), kind="stable").tolist()
    return iter(sorted(by_ranks, key=cmp_to_key(order)))
