"""Rivals that the warehouse does not have.

- Webber and Park's estimator for AP and nDCG@10, where a run at a time is withdrawn, as in the
  warehouse for P and RBP.
- The same where an organization at a time is withdrawn, for every measure. What a run shares only
  with runs of its own organization is lost too, as it is when the organization of a new run is left
  out. So this has less bias. Its mean absolute error need not be smaller.
- A bootstrap for nDCG@10.
"""

from collections.abc import Iterable

import duckdb
import numpy as np
import polars as pl

from .arrays import Flags, Floats, Integers
from .judged_lists import JudgedLists, judged_lists

# Here the first rival must be the estimate of the warehouse.
CHECKED = "RBP(p=0.8)@10"
BY_RUN = "webber_park_systems_no_substitution"
BY_ORGANIZATION = "webber_park by organization"
BOOTSTRAPPED = "bootstrapped"
DRAWS = 100
_CUTOFF = 10
_DISCOUNTS = 1 / np.log2(np.arange(2, _CUTOFF + 2))
_IDEAL = np.concatenate([[0.0], np.cumsum(_DISCOUNTS)])


def rivals(
    connection: duckdb.DuckDBPyConnection, collection: str, measures: Iterable[str]
) -> pl.DataFrame:
    """Return what each rival adds to the score of each pooled run, or its estimate instead."""
    arrays = judged_lists(connection, collection)
    each_alone = np.arange(len(arrays.run_ids))
    frames = []
    for measure in measures:
        added = {BY_ORGANIZATION: webber_park(arrays, measure, arrays.organization)}
        if measure in ("AP", f"nDCG@{_CUTOFF}", CHECKED):
            added[BY_RUN] = webber_park(arrays, measure, each_alone)
        for name, adjustment in added.items():
            frames.append(_frame(arrays, measure, name, adjustment=adjustment))
        if measure == f"nDCG@{_CUTOFF}":
            frames.append(_frame(arrays, measure, BOOTSTRAPPED, estimate=bootstrapped(arrays)))
    return pl.concat(frames, how="diagonal")


def _frame(arrays: JudgedLists, measure: str, estimator: str, **figures: Floats) -> pl.DataFrame:
    names = {"measure": pl.lit(measure), "estimator": pl.lit(estimator)}
    return pl.DataFrame({"run_id": arrays.run_ids, **figures}).with_columns(**names)


class _Lists:
    """The rows that a measure looks at, and the scores of runs for any set of judgements."""

    def __init__(self, arrays: JudgedLists, measure: str) -> None:
        self.arrays = arrays
        self.measure = measure
        cutoff = _last_rank(measure)
        is_read = arrays.rank <= cutoff
        if not measure.startswith("nDCG"):
            is_read &= arrays.is_relevant[arrays.doc]
        self.run, self.doc, self.rank = (
            each[is_read] for each in (arrays.run, arrays.doc, arrays.rank)
        )
        self.n_topics = int(arrays.topic.max()) + 1
        self.levels = range(1, int(arrays.grade.max()) + 1)

    def sums(self, rows: Integers, stays: Flags) -> Floats:
        """Return the sum over topics of the scores of each run, read from these rows alone."""
        arrays = self.arrays
        run, rank, doc = self.run[rows], self.rank[rows], self.doc[rows]
        topic, counted = arrays.topic[doc], stays[doc]
        divisors: Floats | Integers = np.ones(self.n_topics)
        if self.measure == "AP":
            divisors = np.bincount(arrays.topic, arrays.is_relevant & stays, self.n_topics)
            gains = counted * _counted_above(counted, run * self.n_topics + topic) / rank
        elif self.measure.startswith("nDCG"):
            divisors = self.ideals(stays)
            gains = arrays.grade[doc] * counted * _DISCOUNTS[rank - 1]
        elif self.measure.startswith("RBP"):
            gains = counted * 0.2 * 0.8 ** (rank - 1.0)
        else:
            gains = counted / _last_rank(self.measure)
        parts = np.zeros(len(gains))
        np.divide(gains, divisors[topic], where=divisors[topic] > 0, out=parts)
        return np.asarray(np.bincount(run, parts, len(arrays.run_ids)))

    def ideals(self, stays: Flags) -> Floats:
        """Return the discounted gain of the ideal ranking of each topic."""
        total = np.zeros(self.n_topics)
        for level in self.levels:
            counts = np.bincount(
                self.arrays.topic, (self.arrays.grade >= level) & stays, self.n_topics
            )
            total += _IDEAL[np.minimum(counts, _CUTOFF).astype(np.int64)]
        return total


def _last_rank(measure: str) -> float:
    _, _, cutoff = measure.partition("@")
    return int(cutoff) if cutoff else np.inf


def _counted_above(counted: Flags, lists: Integers) -> Integers:
    """Return how many rows of the same list are counted, down to each row."""
    above = np.cumsum(counted)
    first = np.flatnonzero(np.concatenate([[True], lists[1:] != lists[:-1]]))
    before = np.concatenate([[0], above[:-1]])[first]
    lengths = np.diff(np.concatenate([first, [len(lists)]]))
    return np.asarray(above - np.repeat(before, lengths))


def webber_park(arrays: JudgedLists, measure: str, member: Integers) -> Floats:
    """Return the mean loss of other runs where the members are withdrawn in turn.

    `member` has the number of each run's member. The pool is the one without the organization of
    the run that is adjusted, and nothing is substituted.
    """
    lists = _Lists(arrays, measure)
    n_members = int(member.max()) + 1
    contributed = np.zeros((len(arrays.topic), n_members), np.bool_)
    contributed[arrays.doc[arrays.is_contributed], member[arrays.run[arrays.is_contributed]]] = True
    n_contributors = contributed.sum(axis=1)
    rows_of = [np.flatnonzero(member[lists.run] == each) for each in range(n_members)]
    adjustments = np.zeros(len(arrays.run_ids))
    for leaving in range(arrays.contributed.shape[1]):
        leaves = arrays.organization == leaving
        gone = np.unique(member[leaves])
        left = n_contributors - contributed[:, gone].sum(axis=1)
        losses = np.zeros(len(arrays.run_ids))
        for other in np.setdiff1d(np.arange(n_members), gone):
            rows = rows_of[other]
            if len(rows):
                losses += lists.sums(rows, left > 0)
                losses -= lists.sums(rows, left - contributed[:, other] > 0)
        adjustments[leaves] = np.mean((losses / arrays.n_topics)[~leaves])
    return adjustments


def bootstrapped(arrays: JudgedLists) -> Floats:
    """Return the mean of nDCG@10 over draws of the grades of unjudged documents.

    After Fröbe et al. 2023, in the words of their published code: an unjudged document is replaced
    by a judged one of the drawn grade that the list does not hold yet, or of the next lower grade.
    The prior of a grade is its share in the top of the list times its share in the pool.
    """
    lists = _Lists(arrays, f"nDCG@{_CUTOFF}")
    counts = arrays.contributed.sum(axis=1)
    n_grades = len(lists.levels) + 1
    stream = np.random.default_rng(0)
    scores = np.zeros(len(arrays.run_ids))
    for leaving in range(arrays.contributed.shape[1]):
        stays = counts - arrays.contributed[:, leaving] > 0
        ideals = lists.ideals(stays)
        held = np.zeros((lists.n_topics, n_grades))
        np.add.at(held, (arrays.topic[stays], arrays.grade[stays]), 1)
        shares = held.sum(axis=0) / held.sum()
        for run in np.flatnonzero(arrays.organization == leaving):
            top = np.full((lists.n_topics, _CUTOFF), -1)
            rows = np.flatnonzero((lists.run == run) & stays[lists.doc])
            top[arrays.topic[lists.doc[rows]], lists.rank[rows] - 1] = arrays.grade[lists.doc[rows]]
            parts = [
                _drawn(top[topic], held[topic], shares, stream) / ideals[topic]
                for topic in np.flatnonzero(ideals > 0)
            ]
            scores[run] = sum(parts) / arrays.n_topics[run]
    return scores


def _drawn(top: Integers, held: Floats, shares: Floats, stream: np.random.Generator) -> float:
    """Return the mean discounted gain of a list; grade -1 is unjudged."""
    known = float(np.maximum(top, 0) @ _DISCOUNTS)
    unjudged = np.flatnonzero(top < 0)
    if not len(unjudged) or len(unjudged) == len(top):
        return known
    in_top = np.bincount(top[top >= 0], minlength=len(shares))
    prior = in_top / in_top.sum() * shares
    prior[0] = 1 - prior[1:].sum()
    left = np.tile(held - in_top, (DRAWS, 1))
    each = np.arange(DRAWS)
    total = np.zeros(DRAWS)
    for place in unjudged:
        grade = stream.choice(len(shares), DRAWS, p=prior)
        for _ in range(len(shares) - 1):
            grade = np.where((left[each, grade] <= 0) & (grade > 0), grade - 1, grade)
        left[each, grade] -= 1
        total += grade * _DISCOUNTS[place]
    return known + float(total.mean())
