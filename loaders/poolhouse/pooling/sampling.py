"""Designs that draw the documents to judge by lot, with the probabilities that estimates need.

Each design takes `documents`, the frame of sampling: `topic_id`, `doc_id`, `best_rank` (from 1,
over the pooled runs) and `weight` (above 0), as the table macro `sampling_frame` returns them. It
returns one row for each document that it may draw, by topic and document:

| column | |
| --- | --- |
| `topic_id`, `doc_id` | |
| `stratum` | number of the document's stratum, 1 for the top |
| `n_documents` | number of documents of the stratum |
| `inclusion_probability` | probability that the document is drawn |
| `joint_probability` | probability that two given documents of the stratum are both drawn |
| `between_factor` | the probability that two documents of two strata are both drawn, over the \
product of their inclusion probabilities |
| `is_sampled` | whether the document is drawn |

The same input gives the same sample. Each topic has a generator of its own, so that other topics do
not change its sample.
"""

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling.budgets import Counts
from poolhouse.pooling.lists import Flags, Floats

# The number of documents to judge: of each topic, or the same of all topics.
Budget = int | Mapping[str, int]
# The design of one topic: its documents by id, the number to judge, and the generator.
_OfTopic = Callable[[pl.DataFrame, int, np.random.Generator], pl.DataFrame]

# The usual depth of a pool.
POOL_DEPTH = 100

# The first rank of each stratum below the top one: ranks 1-10, 11-30, 31-100 and the rest.
STRATA_BELOW_TOP = (11, 31, 101)

# A variance needs two documents of a stratum.
FEWEST_OF_STRATUM = 2


def uniform(
    documents: pl.DataFrame, n_judged: Budget, seed: int, depth: int = POOL_DEPTH
) -> pl.DataFrame:
    """Draw from the documents of a pool to `depth`, each as likely as the others.

    A simple random sample without replacement, of one stratum: Yilmaz & Aslam 2006.
    Raise PoolhouseError for a number of documents below 2.
    """

    def of_topic(pool: pl.DataFrame, n: int, generator: np.random.Generator) -> pl.DataFrame:
        strata = np.ones(pool.height, dtype=np.int64)
        return _drawn_by_stratum(strata, np.array([n]), generator)

    return _by_topic(documents.filter(pl.col("best_rank") <= depth), n_judged, seed, of_topic)


def stratified(documents: pl.DataFrame, n_judged: Budget, seed: int) -> pl.DataFrame:
    """Draw from strata of the best rank, at lower rates deeper down.

    The strata are those of STRATA_BELOW_TOP, and each has a simple random sample without
    replacement: Yilmaz, Kanoulas & Aslam 2008. They judge the top wholly. Here, the top stratum is
    judged wholly if half of the documents to judge suffice, and has that half otherwise. The other
    strata share the rest equally, as far as they have documents; what is left over goes to the top.
    Every stratum has at least 2 documents judged, or all that it has.

    Raise PoolhouseError for a number of documents that is too small for this.
    """

    def of_topic(pool: pl.DataFrame, n: int, generator: np.random.Generator) -> pl.DataFrame:
        strata = 1 + np.searchsorted(STRATA_BELOW_TOP, pool["best_rank"].to_numpy(), side="right")
        sizes = np.bincount(strata, minlength=len(STRATA_BELOW_TOP) + 2)[1:]
        return _drawn_by_stratum(strata, _shared(n, sizes, pool["topic_id"][0]), generator)

    return _by_topic(documents, n_judged, seed, of_topic)


def proportional(documents: pl.DataFrame, n_judged: Budget, seed: int) -> pl.DataFrame:
    """Draw documents with probabilities near their share of the weight, as statAP does.

    With m documents to judge, the documents in the order of their weights are cut into buckets of
    m; the rest belongs to the last bucket. m draws with replacement choose buckets by their
    weights. As many documents of a bucket as it was chosen are drawn without replacement. So m
    different documents are drawn: the method of Stevens 1958, as Aslam & Pavlu 2007 use it.

    Raise PoolhouseError for a number of documents below 2, and for a weight that is not above 0.
    """
    if not (documents["weight"] > 0).all():
        raise PoolhouseError("a document has a weight that is not above 0")

    def of_topic(pool: pl.DataFrame, n: int, generator: np.random.Generator) -> pl.DataFrame:
        if n == pool.height:
            return _drawn_by_stratum(np.ones(n, dtype=np.int64), np.array([n]), generator)
        buckets = np.empty(pool.height, dtype=np.int64)
        # The sort is stable, so that documents with the same weight stay in the order of their ids.
        order = np.argsort(-pool["weight"].to_numpy(), kind="stable")
        buckets[order] = np.minimum(np.arange(pool.height) // n, pool.height // n - 1)
        weights = np.bincount(buckets, pool["weight"].to_numpy())
        shares, sizes = weights / weights.sum(), np.bincount(buckets)
        return _columns(
            buckets + 1,
            n * shares / sizes,
            n * (n - 1) * shares**2 / (sizes * (sizes - 1)),
            (n - 1) / n,
            _drawn(buckets, generator.multinomial(n, shares), generator),
        )

    return _by_topic(documents, n_judged, seed, of_topic)


def _by_topic(
    documents: pl.DataFrame, n_judged: Budget, seed: int, of_topic: _OfTopic
) -> pl.DataFrame:
    """Return the rows of each topic, with as many documents judged as there are at most."""
    drawn = []
    for pool in documents.sort("topic_id", "doc_id").partition_by("topic_id", maintain_order=True):
        topic = pool["topic_id"][0]
        n = min(_number_of(n_judged, topic), pool.height)
        _refuse_fewer(n, min(FEWEST_OF_STRATUM, pool.height), topic)
        generator = np.random.Generator(
            np.random.PCG64(np.random.SeedSequence([seed, int.from_bytes(topic.encode())]))
        )
        keys = pool.select("topic_id", "doc_id")
        drawn.append(keys.hstack(of_topic(pool, n, generator)))
    if not drawn:
        raise PoolhouseError("there is no document to sample")
    return pl.concat(drawn)


def _number_of(n_judged: Budget, topic: str) -> int:
    if isinstance(n_judged, int):
        return n_judged
    if topic not in n_judged:
        raise PoolhouseError(f"topic {topic!r} has no number of documents to judge")
    return n_judged[topic]


def _refuse_fewer(n: int, fewest: int, topic: str) -> None:
    if n < fewest:
        raise PoolhouseError(
            f"topic {topic!r} has {n} to judge, and its sample needs {fewest} documents or more"
        )


def _shared(n: int, sizes: Counts, topic: str) -> Counts:
    """Return how many documents of each stratum are judged, by the rule of `stratified`."""
    numbers = np.minimum(sizes, FEWEST_OF_STRATUM)
    _refuse_fewer(n, int(numbers.sum()), topic)
    below = int(numbers[1:].sum())
    numbers[0] = min(int(sizes[0]), max(n // 2, int(numbers[0])), n - below)
    while numbers.sum() < n:
        open_strata = np.flatnonzero(numbers[1:] < sizes[1:]) + 1
        numbers[open_strata[np.argmin(numbers[open_strata])] if open_strata.size else 0] += 1
    return numbers


def _drawn_by_stratum(
    strata: Counts, numbers: Counts, generator: np.random.Generator
) -> pl.DataFrame:
    """Draw simple random samples: `numbers` has the size of each, from stratum 1 on."""
    return simple_random(strata, numbers, _drawn(strata - 1, numbers, generator))


def simple_random(strata: Counts, numbers: Counts, is_drawn: Flags) -> pl.DataFrame:
    """Return the columns of a design in which each stratum has a simple random sample."""
    sizes = np.bincount(strata - 1, minlength=numbers.size)
    others = sizes - 1
    joint = np.ones(numbers.size)  # of a stratum with one document, which has no pair
    np.divide(numbers * (numbers - 1), sizes * others, out=joint, where=others > 0)
    single = np.divide(numbers, sizes, out=np.ones(numbers.size), where=sizes > 0)
    return _columns(strata, single, joint, 1.0, is_drawn)


def _drawn(strata: Counts, numbers: Counts, generator: np.random.Generator) -> Flags:
    """Draw so many documents of each stratum, from stratum 0 on, without replacement."""
    is_drawn = np.zeros(strata.size, dtype=np.bool_)
    for stratum, number in enumerate(numbers):
        members = np.flatnonzero(strata == stratum)
        is_drawn[generator.permutation(members)[:number]] = True
    return is_drawn


def _columns(
    strata: Counts, single: Floats, joint: Floats, between: float, is_sampled: Flags
) -> pl.DataFrame:
    """Return the columns of a design; probabilities are those of each stratum, from 1 on."""
    return pl.DataFrame(
        {
            "stratum": strata.astype(np.int32),
            "n_documents": np.bincount(strata)[strata].astype(np.int32),
            "inclusion_probability": single[strata - 1],
            "joint_probability": joint[strata - 1],
            "between_factor": np.full(strata.size, between),
            "is_sampled": is_sampled,
        }
    )
