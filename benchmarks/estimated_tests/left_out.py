"""Compare each run of an organization that leaves the pool with the ten best others.

Before: scores and estimates without the judgements of the organization. Truth: all judgements. The
module computes everything from documents, their probabilities and judgements, in numpy, and not by
the models.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import special

from poolhouse.warehouse.frames import rows_of

Floats = npt.NDArray[np.float64]

MEASURES = ("P@10", "RBP(p=0.8)@10", "nDCG@10", "AP")
N_BEST = 10
DEEPEST = 100  # relevance is estimated down to this rank
IN_DOUBT = 0.3
Q95 = 1.959964
_CUTOFF = 10
_ADDITIVE = MEASURES[:2]
# Discounted gains at the top of an ideal ranking of documents with gain 1.
_CUMULATED = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, 5000)))])

_RUNS = """
    select runs.run_key, runs.organization_key
    from intermediate.int_collections as collections
    inner join intermediate.int_runs as runs using (collection_key)
    inner join intermediate.int_pooled_states as states using (run_key)
    where collections.collection_id = $collection and states.is_pooled
"""
_QRELS = """
    select topic_key, doc_key, greatest(grade, 0) as grade, is_relevant, sole_organization_key
    from intermediate.int_collections as collections
    inner join intermediate.int_contributed_judgements as judgements using (collection_key)
    where collections.collection_id = $collection and judgements.is_judged
"""
_RANKINGS = """
    select rankings.run_key, rankings.topic_key, rankings.doc_key, rankings.rank
    from intermediate.int_collections as collections
    inner join intermediate.int_judged_rankings as rankings using (collection_key)
    inner join intermediate.int_pooled_states as states using (run_key)
    where collections.collection_id = $collection and states.is_pooled
"""
_EXPECTED = """
    select relevance.run_key, topic_key, doc_key, rank, probability, support
    from intermediate.int_collections as collections
    inner join intermediate.int_expected_relevance as relevance using (collection_key)
    inner join intermediate.int_pooled_states as states using (run_key)
    where
        collections.collection_id = $collection and states.is_pooled and relevance.pool_key = 0
        and relevance.is_judged_if_pooled and relevance.rank <= 100
"""
_DOCUMENT = ["topic_key", "doc_key"]


@dataclass(frozen=True)
class Pair:
    """A run that left the pool beside another one: differences by topic, and their errors.

    `variance`, `low` and `high` are of the documents: their variance on each topic, and how far the
    difference moves there if all probabilities of the run are too low or too high.
    """

    unjudged_share: float
    judged: Floats
    expected: Floats
    true: Floats
    variance: Floats
    low: Floats
    high: Floats

    def drawn(self, topics: npt.NDArray[np.int64]) -> "Pair":
        """Return the pair on other topics, which may occur more than once."""
        return Pair(
            self.unjudged_share,
            *(
                getattr(self, name)[topics]
                for name in ("judged", "expected", "true", "variance", "low", "high")
            ),
        )


def weights(measure: str, ranks: npt.ArrayLike) -> Floats:
    """Return the weight of ranks in the score, or the discount where weights do not add up."""
    at = np.asarray(ranks, dtype=np.float64)
    if measure == "AP":
        return np.where(at <= DEEPEST, 1 / np.log2(at + 1), 0)
    weight = {
        "P@10": np.full_like(at, 0.1),
        "RBP(p=0.8)@10": 0.2 * 0.8 ** (at - 1),
        "nDCG@10": 1 / np.log2(at + 1),
    }[measure]
    return np.where(at <= _CUTOFF, weight, 0)


@dataclass
class Pool:
    """The pooled runs of a collection, their judged documents, and what they would lose."""

    connection: duckdb.DuckDBPyConnection
    collection: str
    measure: str
    qrels: pl.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        """Read the rows."""
        asked = {"collection": self.collection}
        runs = rows_of(self.connection, _RUNS, asked)
        self.organizations = dict(runs.iter_rows())
        self.qrels = rows_of(self.connection, _QRELS, asked)
        self.topics = self.qrels["topic_key"].unique().sort().to_list()
        self.places = {topic: place for place, topic in enumerate(self.topics)}
        rankings = rows_of(self.connection, _RANKINGS, asked)
        self.documents = rankings.join(self.qrels, on=_DOCUMENT)
        lost = rows_of(self.connection, _EXPECTED, asked)
        self.lost = lost.with_columns(
            pl.Series("weight", weights(self.measure, lost["rank"].to_numpy()))
        )
        self.true = self.scores(list(self.organizations), self.documents, self.qrels, {})
        self.shares, self.deviations = self._deviations()

    def _deviations(self) -> tuple[dict[int, float], dict[int, float]]:
        """Return the unjudged share of each run, and how far its log odds may be wrong."""
        whole = len(self.topics) * float(weights(self.measure, np.arange(1, DEEPEST + 1)).sum())
        gain = pl.col("weight") * pl.col("probability")
        of_runs = self.lost.group_by("run_key").agg(
            (pl.col("weight").sum() / whole).alias("share"),
            (gain.filter(support=0).sum() / gain.sum()).fill_nan(0).alias("unsupported"),
        )
        found = {run: (share, unsupported) for run, share, unsupported in of_runs.iter_rows()}
        by_organization: dict[int, list[float]] = {}
        for run, (share, _) in found.items():
            if share:
                by_organization.setdefault(self.organizations[run], []).append(share)
        means = {name: float(np.mean(shares)) for name, shares in by_organization.items()}
        deviations = {}
        for run, own in self.organizations.items():
            share, unsupported = found.get(run, (0.0, 0.0))
            distance = share / np.mean([mean for name, mean in means.items() if name != own])
            spread = max(0.2 * min(distance, 5), 0.8 * share)
            deviations[run] = float(np.sqrt(0.25 + spread + 0.5 * unsupported))
        factor = 1.0 if self.measure in _ADDITIVE else 1.25
        return (
            {run: found.get(run, (0.0, 0.0))[0] for run in self.organizations},
            {run: factor * deviation for run, deviation in deviations.items()},
        )

    # -- Scores ------------------------------------------------------------------------------------

    def totals(self, qrels: pl.DataFrame, more: Mapping[int, float]) -> Floats:
        """Return what the measure divides by on each topic, with relevant documents expected."""
        if self.measure in _ADDITIVE:
            return np.ones(len(self.topics))
        grades = {topic: rows["grade"].to_numpy() for (topic,), rows in qrels.group_by("topic_key")}
        relevant = qrels.group_by("topic_key").agg(pl.col("is_relevant").sum())
        n_relevant = dict(relevant.iter_rows())
        if self.measure == "AP":
            return np.array([n_relevant.get(t, 0) + more.get(t, 0.0) for t in self.topics])
        steps = self.grades(qrels)
        return np.array(
            [
                sum(
                    _ideal_gain((grades.get(t, np.zeros(0)) >= level).sum() + more.get(t, 0) * part)
                    for level, part in steps.items()
                )
                for t in self.topics
            ]
        )

    @staticmethod
    def grades(qrels: pl.DataFrame) -> dict[int, float]:
        """Return how probable it is that a relevant document has each grade at least."""
        relevant = qrels.filter("is_relevant")["grade"]
        return {
            level: float((relevant >= level).mean())  # type: ignore[arg-type]
            for level in range(1, int(relevant.max()) + 1)  # type: ignore[arg-type]
        }

    def scores(
        self,
        runs: Sequence[int],
        documents: pl.DataFrame,
        qrels: pl.DataFrame,
        more: Mapping[int, float],
    ) -> Floats:
        """Return the scores of runs by topics. Documents may have a `probability`."""
        if "probability" not in documents.columns:
            documents = documents.with_columns(
                pl.col("is_relevant").cast(pl.Float64).alias("probability"),
                pl.col("grade").cast(pl.Float64).alias("gain"),
            )
        of = self.totals(qrels, more)
        matrix = np.zeros((len(runs), len(self.topics)))
        rows = {run: row for row, run in enumerate(runs)}
        listed = documents.filter(pl.col("run_key").is_in(runs)).sort(
            "run_key", "topic_key", "rank"
        )
        if self.measure == "AP":
            found = self._average_precision(listed, of)
        else:
            weight = pl.Series("weight", weights(self.measure, listed["rank"].to_numpy()))
            part = pl.col("gain" if self.measure == "nDCG@10" else "probability")
            weighed = listed.with_columns(weight).group_by("run_key", "topic_key")
            found = weighed.agg((pl.col("weight") * part).sum().alias("sum"))
        for run, topic, total in found.iter_rows():
            place = self.places[topic]
            matrix[rows[run], place] = total / of[place] if of[place] else 0
        return matrix

    def _average_precision(self, listed: pl.DataFrame, of: Floats) -> pl.DataFrame:
        """Return R times the expected AP: an uncertain document is one of the R itself."""
        total = pl.DataFrame({"topic_key": self.topics, "total": of}).cast({"topic_key": pl.Int32})
        probability, key = pl.col("probability"), ("run_key", "topic_key")
        known = listed.filter(probability > 0).join(total, on="topic_key")
        known = known.sort("run_key", "topic_key", "rank").with_columns(
            (probability / (pl.col("total") + (1 - probability))).alias("part")
        )
        above = pl.col("part").cum_sum().over(*key) - pl.col("part")
        precision = pl.col("part") / pl.col("rank") * (1 + pl.col("total") * above)
        return known.group_by(*key).agg((precision * pl.col("total")).sum().alias("sum"))

    # -- Pairs -------------------------------------------------------------------------------------

    def pairs(self) -> Iterator[Pair]:
        """Yield each pooled run, as its organization leaves, beside the ten best others."""
        runs = list(self.organizations)
        best = sorted(runs, key=lambda run: -self.true[runs.index(run)].mean())
        for organization in sorted(set(self.organizations.values())):
            own = [run for run in runs if self.organizations[run] == organization]
            others = [run for run in best if run not in own][:N_BEST]
            lost = self.lost.filter(pl.col("run_key").is_in(own))
            if not lost.is_empty():
                yield from self._pairs_without(organization, own, others, lost)

    def _pairs_without(
        self, organization: int, own: list[int], others: list[int], lost: pl.DataFrame
    ) -> Iterator[Pair]:
        leaves = (pl.col("sole_organization_key") == organization).fill_null(value=False)
        # a document has one probability, the mean of the lists that hold it
        means = lost.group_by(_DOCUMENT, maintain_order=True).agg(pl.col("probability").mean())
        stays = self.qrels.filter(~leaves)
        expected = dict(means.group_by("topic_key").agg(pl.col("probability").sum()).iter_rows())
        steps = self.grades(stays)
        gain = sum(steps.values())
        square = sum(part * (2 * level - 1) for level, part in steps.items())
        runs = [*own, *others]
        listed = self.documents.filter(pl.col("run_key").is_in(runs))
        known = listed.filter(~leaves).with_columns(
            pl.col("is_relevant").cast(pl.Float64).alias("probability"),
            pl.col("grade").cast(pl.Float64).alias("gain"),
        )
        unknown = listed.filter(leaves).join(means, on=_DOCUMENT)
        unknown = unknown.with_columns((pl.col("probability") * gain).alias("gain"))
        both = pl.concat([known, unknown.select(known.columns)])
        judged = self.scores(runs, known, stays, {})
        guessed = self.scores(runs, both, stays, expected)
        parts, is_held = self._parts(runs, (judged, guessed), (stays, expected), unknown, means)
        p = means["probability"].to_numpy()
        factor = square / gain**2 if self.measure == "nDCG@10" else 1
        topic = np.array([self.places[each] for each in means["topic_key"]])
        every = list(self.organizations)
        for one, run in enumerate(own):
            ends = [shifted(p, sign * Q95 * self.deviations[run]) - p for sign in (-1, 1)]
            for other in range(len(own), len(runs)):
                part = parts[one] - parts[other]
                held = is_held[one]
                doubt = IN_DOUBT / max(int(held.sum()), 1) * held
                per_topic = [
                    np.bincount(topic, values, minlength=len(self.topics)).astype(np.float64)
                    for values in (
                        part**2 * (p * factor - p**2 + doubt),
                        part * ends[0] * held,
                        part * ends[1] * held,
                    )
                ]
                yield Pair(
                    self.shares[run],
                    judged[one] - judged[other],
                    guessed[one] - guessed[other],
                    self.true[every.index(run)] - self.true[every.index(runs[other])],
                    *per_topic,
                )

    def _parts(
        self,
        runs: list[int],
        scores: tuple[Floats, Floats],
        judgements: tuple[pl.DataFrame, Mapping[int, float]],
        unknown: pl.DataFrame,
        means: pl.DataFrame,
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return what each lost document adds to the score of each run, and whether it is held."""
        stays, expected = judgements
        judged, guessed = scores
        before, after = self.totals(stays, {}), self.totals(stays, expected)
        more = np.array([expected.get(topic, 0.0) for topic in self.topics])
        with np.errstate(all="ignore"):
            per_document = np.where(more > 0, (after - before) / more, 0)
            dilution = np.where(after > 0, guessed * per_document / after, 0)
        numbered = means.with_row_index("column").select(*_DOCUMENT, "column")
        weighed = unknown.with_columns(
            pl.Series("weight", weights(self.measure, unknown["rank"].to_numpy()))
        ).filter(pl.col("weight") > 0)
        weighed = weighed.join(numbered, on=_DOCUMENT, maintain_order="left")
        row = np.array([runs.index(run) for run in weighed["run_key"]], dtype=int)
        topic = np.array([self.places[each] for each in weighed["topic_key"]], dtype=int)
        weight = weighed["weight"].to_numpy()
        sums = np.zeros_like(judged)
        np.add.at(sums, (row, topic), weight * weighed["probability"].to_numpy())
        with np.errstate(all="ignore"):
            added = (guessed * after - judged * before) / after
            scale = np.where((sums > 0) & (after > 0), added / sums, 0)
        parts = np.zeros((len(runs), means.height))
        is_held = np.zeros(parts.shape, dtype=bool)
        column = weighed["column"].to_numpy()
        parts[row, column] = weight * scale[row, topic]
        is_held[row, column] = True
        of_documents = [self.places[each] for each in means["topic_key"]]
        return parts - dilution[:, of_documents], is_held


def _ideal_gain(n_documents: float) -> float:
    top = min(n_documents, _CUTOFF)
    whole = int(top)
    return float(_CUMULATED[whole] + (top - whole) * (_CUMULATED[whole + 1] - _CUMULATED[whole]))


def shifted(probability: Floats, shift: float) -> Floats:
    """Return probabilities whose log odds are higher by the shift."""
    moved: Floats = probability / (probability + (1 - probability) * np.exp(-shift))
    return moved


def p_value(differences: Floats, mean: float = 0.0, error: Floats | float = 0.0) -> Floats:
    """Return p of the paired t-test against a mean, where the mean has one more squared error."""
    n_topics = differences.shape[-1]
    of_topics = differences.var(axis=-1, ddof=1) / n_topics
    with np.errstate(all="ignore"):
        t = np.abs(differences.mean(axis=-1) - mean) / np.sqrt(of_topics + error)
        degrees = (n_topics - 1) * ((of_topics + error) / of_topics) ** 2
        p = 2 * special.stdtr(degrees, -t)
    return np.where(np.isfinite(p), p, 1.0)


def squared_error(pair: Pair, mean: float = 0.0) -> Floats:
    """Return the squared error of the estimate, towards the mean of the hypothesis."""
    n_topics = pair.expected.shape[-1]
    ends = np.stack([pair.low.mean(axis=-1), pair.high.mean(axis=-1)])
    is_above = pair.expected.mean(axis=-1) > mean
    moved = np.where(is_above, np.minimum(ends.min(axis=0), 0), np.maximum(ends.max(axis=0), 0))
    error: Floats = pair.variance.sum(axis=-1) / n_topics**2 + (moved / Q95) ** 2
    return error
