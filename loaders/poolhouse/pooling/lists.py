"""The ranked lists of a topic, as arrays over runs and documents."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class TopicLists:
    """The lists of the runs of a pool for one topic.

    `lists` has the documents of each run, best first, as numbers from 0 to `n_documents` - 1. The
    order of the runs, and of the numbers of the documents, breaks ties.
    """

    lists: tuple[Integers, ...]
    n_documents: int

    @classmethod
    def of(cls, lists: list[list[int]]) -> Self:
        """Return the lists of runs that were given as numbers of documents."""
        arrays = tuple(np.array(each, dtype=np.int32) for each in lists)
        return cls(arrays, 1 + max((int(each.max()) for each in arrays if each.size), default=-1))

    @classmethod
    def from_lines(cls, documents: Integers, runs: Integers, n_runs: int, n_documents: int) -> Self:
        """Return the lists of lines in the order of runs and ranks, with the run of each line."""
        bounds = np.searchsorted(runs, np.arange(1, n_runs))
        return cls(tuple(np.split(documents.astype(np.int32), bounds)), n_documents)

    @property
    def n_runs(self) -> int:
        """The number of runs."""
        return len(self.lists)

    @cached_property
    def entries(self) -> tuple[Integers, Integers, Integers]:
        """The run, the document and the rank, from 1 on, of each place of the lists."""
        runs = np.repeat(np.arange(self.n_runs, dtype=np.int32), self.lengths)
        documents = np.concatenate([np.empty(0, dtype=np.int32), *self.lists])
        ranks = np.concatenate(
            [
                np.empty(0, dtype=np.int32),
                *(np.arange(1, n + 1, dtype=np.int32) for n in self.lengths),
            ]
        )
        return runs, documents, ranks

    @cached_property
    def lengths(self) -> Integers:
        """The number of documents of each run."""
        return np.array([len(each) for each in self.lists], dtype=np.int32)
