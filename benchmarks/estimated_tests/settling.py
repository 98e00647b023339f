"""How many judgements settle which of two runs is better, in three orders.

A run's organization leaves the pool, and its documents are judged again, one after the other. The
run is compared with the ten best of other organizations. It is settled when the test of the
expected difference says what it says with all judgements, and stays so. Only for P and RBP, whose
differences are sums over documents.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from .left_out import IN_DOUBT, N_BEST, Q95, Floats, Pool, p_value, shifted, weights
from .stars import LEVEL

_SEED, _N_RANDOM = 7, 10
_N_JUDGED = (0, 5, 10, 20)
_DOCUMENT = ["topic_key", "doc_key"]


def settled(pool: Pool) -> pl.DataFrame:
    """Return one row per run: its open documents, and the judgements that each order needs."""
    stream = np.random.default_rng(_SEED)
    rows = []
    for run, other in _pairs(pool):
        pair = _Documents(pool, run, other)
        if not len(pair.part):
            continue
        orders = {
            "settle": [np.argsort(-pair.reduction(), kind="stable")],
            "depth": [np.argsort(pair.rank, kind="stable")],
            "random": [stream.permutation(len(pair.part)) for _ in range(_N_RANDOM)],
        }
        row: dict[str, float] = {"documents": len(pair.part), "is_settled": pair.is_settled()}
        for name, of in orders.items():
            row[f"{name}: judgements"] = float(np.mean([pair.needed(order) for order in of]))
            for n in _N_JUDGED:
                errors = [pair.error(order[n:]) for order in of]
                row[f"{name}: squared error after {n}"] = float(np.mean(np.square(errors)))
        rows.append(row)
    return pl.DataFrame(rows)


def summary(rows: pl.DataFrame) -> dict[str, float]:
    """Return means of judgements where some are needed, and of errors over all pairs."""
    found: dict[str, float] = {"pairs": rows.height}
    is_open = rows.filter(~pl.col("is_settled"))
    found["not settled"] = is_open.height
    found["their documents"] = _mean(is_open["documents"])
    for name in rows.columns[2:]:
        if "error" in name:
            found[name.replace("squared ", "")] = round(_mean(rows[name]) ** 0.5, 4)
        else:
            found[name] = round(_mean(is_open[name]), 1)
    return found


def _mean(values: pl.Series) -> float:
    return float(np.mean(values.to_numpy())) if len(values) else 0.0


def _pairs(pool: Pool) -> Iterator[tuple[int, int]]:
    runs = list(pool.organizations)
    best = sorted(runs, key=lambda run: -pool.true[runs.index(run)].mean())
    for run in runs:
        own = pool.organizations[run]
        for other in [each for each in best if pool.organizations[each] != own][:N_BEST]:
            yield run, other


class _Documents:
    """The documents that leave with the organization of a run, in its list or the other one."""

    def __init__(self, pool: Pool, run: int, other: int) -> None:
        organization, self.n_topics = pool.organizations[run], len(pool.topics)
        own = [each for each, of in pool.organizations.items() if of == organization]
        means = pool.lost.filter(pl.col("run_key").is_in(own)).group_by(_DOCUMENT)
        lost = pool.documents.filter(
            pl.col("run_key").is_in([run, other]), sole_organization_key=organization
        ).join(means.agg(pl.col("probability").mean()), on=_DOCUMENT)
        is_own = pl.col("run_key") == run
        weight = pl.Series("weight", weights(pool.measure, lost["rank"].to_numpy()))
        side = pl.when(is_own).then(1).otherwise(-1)
        found = (
            lost.with_columns(weight)
            .filter(pl.col("weight") > 0)
            .group_by(_DOCUMENT, maintain_order=True)
            .agg(
                (side * pl.col("weight")).sum().alias("part"),
                pl.col("probability").first(),
                pl.col("is_relevant").first(),
                pl.col("rank").min(),
                is_own.any().alias("is_own"),
            )
            .sort(_DOCUMENT)
        )
        self.part, self.p = found["part"].to_numpy(), found["probability"].to_numpy()
        self.is_relevant, self.rank = found["is_relevant"].to_numpy(), found["rank"].to_numpy()
        self.topic = np.array([pool.places[each] for each in found["topic_key"]], dtype=int)
        runs = list(pool.organizations)
        self.true = pool.true[runs.index(run)] - pool.true[runs.index(other)]
        is_own_document = found["is_own"].to_numpy()
        self.ends = [
            self.part * (shifted(self.p, sign * Q95 * pool.deviations[run]) - self.p)
            * is_own_document / self.n_topics
            for sign in (-1, 1)
        ]  # fmt: skip
        doubt = IN_DOUBT / max(int(is_own_document.sum()), 1)
        self.variance = self.part**2 * (self.p * (1 - self.p) + doubt) / self.n_topics**2

    def reduction(self) -> Floats:
        """Return what judging each document takes from the variance (int_settling_documents)."""
        moved = self.ends[1] / Q95
        reduction: Floats = self.variance + moved.sum() ** 2 - (moved.sum() - moved) ** 2
        return reduction

    def needed(self, order: npt.NDArray[np.int64]) -> int:
        """Return the number of judgements in this order after which nothing changes any more."""
        n = len(order)
        # One row per number of judgements: which documents are still open.
        is_open = np.ones((n + 1, n), dtype=bool)
        is_open[:, order] = np.arange(n) >= np.arange(n + 1)[:, np.newaxis]
        star = self._stars(is_open)
        return int(np.max(np.flatnonzero(star != star[-1]), initial=-1)) + 1

    def is_settled(self) -> bool:
        """Return whether nothing has to be judged to say what all judgements say."""
        star = self._stars(np.array([[True], [False]]).repeat(len(self.part), axis=1))
        return bool(star[0] == star[1])

    def error(self, open_documents: npt.NDArray[np.int64]) -> float:
        """Return how far the expected difference is from the true one."""
        off = self.part * (self.p - self.is_relevant)
        return float(off[open_documents].sum() / self.n_topics)

    def _stars(self, is_open: npt.NDArray[np.bool_]) -> Floats:
        """Return the sign of each significant difference, where so many documents are open."""
        by_topic = np.zeros((len(self.part), self.n_topics))
        by_topic[np.arange(len(self.part)), self.topic] = self.part * (self.p - self.is_relevant)
        expected = self.true + is_open @ by_topic
        ends = np.stack([is_open @ end for end in self.ends])
        is_above = expected.mean(axis=1) > 0
        moved = np.where(is_above, np.minimum(ends.min(axis=0), 0), np.maximum(ends.max(axis=0), 0))
        p = p_value(expected, error=is_open @ self.variance + (moved / Q95) ** 2)
        stars: Floats = np.where(p < LEVEL, np.sign(expected.mean(axis=1)), 0)
        return stars
