"""Compare runs outside of the pool with the ten best others, where later judgements are the truth.

Before: the loaded judgements, and the rows of expected_comparisons. A run counts if at most a share
of the documents that count are judged in no round; such documents count as not relevant.
"""

from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import special

from poolhouse.loading.line_files import read_qrels
from poolhouse.warehouse.frames import rows_of

from .left_out import MEASURES, N_BEST, weights
from .stars import LEVEL, Star, counted, star

# Most of what AP divides by is judged in no round.
MEASURES_JUDGED = MEASURES[:3]
_CUTOFF = 10
_LISTS = """
    select runs.run_id, states.is_pooled, topics.topic_id, documents.doc_id, rankings.rank
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_pooled_states as states using (run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_judged_topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    where collections.collection_id = $collection
"""
_JUDGED = """
    select topic_id, doc_id, relevance as grade
    from fct_judgements
    where collection_id = $collection and relevance is not null
"""
_PAIRS = "select * from expected_comparisons($collection, $measure)"
_DOCUMENT = ["topic_id", "doc_id"]


class Rounds:
    """The lists of a collection, with what was judged at first and in the end."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, collection: str, later: Path) -> None:
        """Read the rows and the file."""
        self.connection, self.collection = connection, collection
        lists = rows_of(connection, _LISTS, {"collection": collection})
        first = rows_of(connection, _JUDGED, {"collection": collection})
        found = read_qrels(later).rows.select(
            pl.col("topic_id"), pl.col("doc_id"), pl.col("relevance").alias("grade")
        )
        # later judgements of documents that no run returns may be of younger documents
        found = found.join(lists, on=_DOCUMENT, how="semi")
        self.judged = {
            "first": first,
            "all": pl.concat([found, first]).unique(_DOCUMENT, keep="first"),
        }
        self.lists = lists.filter(pl.col("rank") <= _CUTOFF)
        self.topics = first["topic_id"].unique().sort().to_list()
        self.runs = self.lists["run_id"].unique().sort().to_list()
        self.is_pooled = dict(self.lists.select("run_id", "is_pooled").iter_rows())
        unknown = self.lists.join(self.judged["all"], on=_DOCUMENT, how="anti")
        counts = dict(unknown.group_by("run_id").len().iter_rows())
        whole = _CUTOFF * len(self.topics)
        self.unknown = {run: counts.get(run, 0) / whole for run in self.runs}

    def scores(self, measure: str, judged: str) -> npt.NDArray[np.float64]:
        """Return the scores of all runs by topics."""
        grades = self.judged[judged].with_columns(pl.col("grade").clip(0))
        listed = self.lists.join(grades, on=_DOCUMENT)
        gain = pl.col("grade") if measure == "nDCG@10" else (pl.col("grade") > 0)
        weight = pl.Series("weight", weights(measure, listed["rank"].to_numpy()))
        found = listed.with_columns(weight).group_by("run_id", "topic_id")
        matrix = np.zeros((len(self.runs), len(self.topics)))
        for run, topic, total in found.agg((pl.col("weight") * gain).sum()).iter_rows():
            matrix[self.runs.index(run), self.topics.index(topic)] = total
        return matrix / self._ideals(grades) if measure == "nDCG@10" else matrix

    def _ideals(self, grades: pl.DataFrame) -> npt.NDArray[np.float64]:
        best = grades.sort("grade", descending=True).group_by("topic_id").agg(pl.col("grade"))
        tops = dict(best.iter_rows())
        discounts = weights("nDCG@10", np.arange(1, _CUTOFF + 1))
        return np.array(
            [float(np.dot(discounts[: len(tops[t])], tops[t][:_CUTOFF])) for t in self.topics]
        )

    def stars(self, measure: str, most_unknown: float) -> pl.DataFrame:
        """Return one row per pair: the unjudged weight, and the errors of both tests."""
        asked = {"collection": self.collection, "measure": measure}
        pairs = {
            (row["run_id"], row["other_run_id"]): row
            for row in rows_of(self.connection, _PAIRS, asked).iter_rows(named=True)
        }
        true, judged = self.scores(measure, "all"), self.scores(measure, "first")
        known = [run for run in self.runs if self.unknown[run] <= most_unknown]
        best = sorted(known, key=lambda run: -true[self.runs.index(run)].mean())
        rows = []
        for run in known:
            if self.is_pooled[run]:
                continue
            for other in [each for each in best if each != run][:N_BEST]:
                one, two = self.runs.index(run), self.runs.index(other)
                truth, plain = star(true[one] - true[two]), star(judged[one] - judged[two])
                share, expected = _expected(pairs, run, other)
                rows.append(
                    {
                        "share": share,
                        "true": truth.is_significant,
                        **counted(truth, plain, "plain"),
                        **counted(truth, expected, "estimated"),
                    }
                )
        return pl.DataFrame(rows)


def _expected(
    pairs: dict[tuple[str, str], dict[str, float]], run: str, other: str
) -> tuple[float, Star]:
    row, sign = (pairs[run, other], 1) if (run, other) in pairs else (pairs.get((other, run)), -1)
    if row is None or row["t_if_judged"] is None:
        return 1.0, Star(is_significant=False, direction=0)
    p = 2 * special.stdtr(row["degrees_of_freedom_if_judged"], -abs(row["t_if_judged"]))
    share = row["unjudged_weight"] if sign > 0 else row["other_unjudged_weight"]
    return share, Star(bool(p < LEVEL), float(np.sign(sign * row["difference_if_judged"])))
