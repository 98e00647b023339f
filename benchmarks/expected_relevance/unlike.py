"""Errors where lists end early, and of whole families of runs that leave the pool.

Lists of all runs are cut to a multiple of the pool depth. One organization at a time leaves such a
pool, and so does one family of runs at a time: the manual or the automatic runs, the traditional
ones of DL 2021, and clusters of runs that return the same documents. The judgements are then those
of what the other runs have down to the depth, so that the family is outside of the pool. What the
original qrels say of its documents is the truth; for TREC-COVID, later rounds judged more.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from poolhouse.building.build import build
from poolhouse.building.settings import keep_setting
from poolhouse.command_line import console
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.output.markdown import markdown
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

from .small_pools import write_lines, write_runs
from .tables import Table, figure

# The pools, with the depths to which they are cut.
POOLS = (
    ("TREC-2", 20),
    ("TREC-8", 20),
    ("TREC-8", 100),
    ("TREC-COVID 1", 7),
    ("DL 2021", 10),
)
# Lengths of lists in pool depths; None leaves them as they are. Families leave the first and last.
LENGTHS: tuple[int | None, ...] = (None, 10, 5, 2, 1)
FAMILY_LENGTHS: tuple[int | None, ...] = (None, 2)
MEASURES = {"P@5": 5, "P@10": 10, "P@20": 20, "RBP(p=0.8)@10": 10}
BANDS = (0.1, 0.25, 0.5, 0.6)  # of the unjudged share; the last one is the limit of the advice
UNKNOWN = 0.05  # of the weight, at most, is known to nobody
FEWEST_ORGANIZATIONS = 5
N_CLUSTERS = 4
SHARED_DEPTH = 20
TRADITIONAL = re.compile("p_bm25|paug_bm25|bl_bcai_p_trad|uogTrBase|watp")
LATER = "TREC-COVID 1"  # later rounds judged more of its documents
NOISE = 1e-9
_RANKINGS = """
    select runs.run_id, runs.organization, runs.run_type,
        pooled.run_key is not null as is_pooled, topics.topic_id, documents.doc_id, rankings.rank,
        judgements.grade
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    left join intermediate.int_pooled_runs as pooled using (collection_key, run_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    left join intermediate.int_judgements as judgements
        on rankings.collection_key = judgements.collection_key
        and rankings.topic_key = judgements.topic_key
        and rankings.doc_key = judgements.doc_key and judgements.is_judged
    where collections.collection_id = $collection
    order by runs.run_id, topics.topic_id, rankings.rank
"""
_DOCUMENTS = """
    select runs.run_id, relevance.topic_key, topics.topic_id, documents.doc_id, relevance.rank,
        relevance.is_judged_if_pooled, relevance.is_relevant, relevance.probability,
        answers.n_topics
    from intermediate.int_expected_relevance as relevance
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    inner join (
        select collection_key, run_key, count(*) as n_topics
        from intermediate.int_run_topics group by all
    ) as answers using (collection_key, run_key)
    where relevance.pool_key = 0 and relevance.rank <= 20
"""
_INTERVALS = """
    select runs.run_id, intervals.target, intervals.measure, intervals.unjudged_weight,
        intervals.expected_gain, intervals.ci_68_low, intervals.ci_68_high, intervals.ci_95_low,
        intervals.ci_95_high
    from intermediate.int_expected_intervals as intervals
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    where intervals.pool_key = 0 and intervals.unjudged_weight > 1e-9
"""


@dataclass(frozen=True)
class Experiment:
    """A pool of cut lists that a family of runs has left, or none."""

    source: str
    depth: int
    length: int | None
    family: str
    members: frozenset[str]

    @property
    def pool(self) -> str:
        """Return the name of the pool."""
        return f"{self.source}, depth {self.depth}"


def measured(warehouse: Warehouse, archive: Path, folder: Path) -> pl.DataFrame:
    """Return one row per experiment, run, question and measure: the gain, and the true one."""
    found = []
    for name, depth in POOLS:
        with warehouse.read() as connection:
            rankings = rows_of(connection, _RANKINGS, {"collection": name})
        truth = _truth(rankings, name, archive)
        if name != LATER:  # of the documents of other runs, nobody knows the truth
            rankings = rankings.filter("is_pooled")
        for experiment in _experiments(name, depth, rankings):
            console.remark(f"{experiment.pool}, {experiment.length}, {experiment.family}")
            rows = _estimated(experiment, rankings, folder)
            found.append(
                _with_truth(rows, truth, experiment).with_columns(
                    pool=pl.lit(experiment.pool),
                    length=pl.lit(experiment.length, dtype=pl.Int64),
                    family=pl.lit(experiment.family),
                )
            )
    return pl.concat(found)


def _truth(rankings: pl.DataFrame, name: str, archive: Path) -> pl.DataFrame:
    """Return the judged documents, with those of later rounds."""
    grades = rankings.filter(pl.col("grade").is_not_null()).select(
        "topic_id", "doc_id", is_true=pl.col("grade") > 0
    )
    if name == LATER:
        later = gzip.decompress((archive / "trec-covid-round1" / "later-qrels.txt.gz").read_bytes())
        lines = [line.split() for line in later.decode().splitlines()]
        more = pl.DataFrame(
            [(topic, doc, int(grade) > 0) for topic, _, doc, grade in lines if int(grade) >= 0],
            schema=grades.schema,
            orient="row",
        )
        grades = pl.concat([grades, more])
    return grades.unique(["topic_id", "doc_id"], keep="first", maintain_order=True)


def _experiments(name: str, depth: int, rankings: pl.DataFrame) -> Iterator[Experiment]:
    last = rankings["rank"].max()
    lengths = [each for each in LENGTHS if each is None or each * depth < last]  # type: ignore[operator]
    for length in lengths:
        yield Experiment(name, depth, length, "", frozenset())
    runs = rankings.select("run_id", "organization", "is_pooled").unique()
    for family, members in _families(rankings).items():
        staying = runs.filter("is_pooled", ~pl.col("run_id").is_in(members))
        if staying["organization"].n_unique() >= FEWEST_ORGANIZATIONS:
            for length in FAMILY_LENGTHS:
                yield Experiment(name, depth, length, family, members)


def _families(rankings: pl.DataFrame) -> Mapping[str, frozenset[str]]:
    runs = rankings.select("run_id", "run_type", "is_pooled").unique(maintain_order=True)
    types = {
        str(kind): frozenset(group["run_id"])
        for (kind,), group in runs.group_by("run_type", maintain_order=True)
    }
    traditional = frozenset(filter(TRADITIONAL.match, runs["run_id"]))
    found = dict(types) if len(types) > 1 else {"traditional": traditional} if traditional else {}
    for number, members in enumerate(_clusters(rankings.filter("is_pooled")), start=1):
        found[f"cluster {number}"] = members
    return found


def _clusters(rankings: pl.DataFrame) -> list[frozenset[str]]:
    """Return clusters of at least three runs, by average linkage of their first documents."""
    top = rankings.filter(pl.col("rank") <= SHARED_DEPTH)
    runs = sorted(top["run_id"].unique())
    sets = {
        str(run): set(zip(group["topic_id"], group["doc_id"], strict=True))
        for (run,), group in top.group_by("run_id")
    }
    alike = np.array(
        [
            [len(sets[a] & sets[b]) / np.sqrt(len(sets[a]) * len(sets[b])) for b in runs]
            for a in runs
        ]
    )
    groups = [[number] for number in range(len(runs))]
    while len(groups) > N_CLUSTERS:
        pairs = [(a, b) for a in range(len(groups)) for b in range(a)]
        # larger groups join later, so that no cluster is nearly everything
        a, b = max(
            pairs,
            key=lambda pair: (
                alike[np.ix_(groups[pair[0]], groups[pair[1]])].mean()
                - 0.004 * (len(groups[pair[0]]) + len(groups[pair[1]]))
            ),
        )
        groups[b] += groups.pop(a)
    return [frozenset(runs[each] for each in group) for group in groups if len(group) > 2]  # noqa: PLR2004


def _estimated(
    experiment: Experiment, rankings: pl.DataFrame, folder: Path
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Load and build the collection; return its intervals, and its unjudged documents."""
    last = (experiment.length or 1_000_000) * experiment.depth
    lists = rankings.filter(pl.col("rank") <= last)
    files = write_runs(lists, folder / f"{experiment.source}, {last}")
    is_pooled = pl.col("is_pooled") & ~pl.col("run_id").is_in(experiment.members)
    runs = lists.select("run_id", "organization", pooled=is_pooled).unique()
    runs.rename({"run_id": "run"}).write_csv(folder / "runs.csv")
    judged = lists.filter(
        is_pooled, pl.col("rank") <= experiment.depth, pl.col("grade").is_not_null()
    ).select("topic_id", pl.lit(0).alias("iteration"), "doc_id", "grade")
    write_lines(folder / "qrels.gz", judged.unique().sort(pl.all()))
    collection = Warehouse(folder / "unlike.duckdb")
    collection.path.unlink(missing_ok=True)
    with collection.change(), collection.side() as connection:
        chosen = {name: list(MEASURES) for name in ("bias_measures", "measures")}
        for name in chosen:
            keep_setting(connection, name, chosen)
    load_collection(
        collection,
        LoadRequest(
            "unlike",
            tuple(files.values()),
            folder / "qrels.gz",
            descriptions=folder / "runs.csv",
            depth=experiment.depth,
        ),
    )
    if failed := build(collection).failed:
        raise PoolhouseError("; ".join(failed))
    with collection.read() as connection:
        return rows_of(connection, _INTERVALS), rows_of(connection, _DOCUMENTS)


def _with_truth(
    rows: tuple[pl.DataFrame, pl.DataFrame], truth: pl.DataFrame, experiment: Experiment
) -> pl.DataFrame:
    """Add the least and the greatest true gain: a document that nobody judged may be relevant."""
    intervals, documents = rows
    known = documents.join(truth, on=["topic_id", "doc_id"], how="left").with_columns(
        is_true=pl.coalesce("is_relevant", "is_true")
    )
    if experiment.family:
        intervals = intervals.filter(pl.col("run_id").is_in(experiment.members))
    found = []
    for measure, cutoff in MEASURES.items():
        is_rbp = measure.startswith("RBP")
        weight = 0.2 * 0.8 ** (pl.col("rank") - 1) if is_rbp else pl.lit(1 / cutoff)
        whole = 1 - 0.8**cutoff if is_rbp else 1.0
        for target in ("if_pooled", "if_judged"):
            counted = known.filter(
                pl.col("rank") <= cutoff,
                pl.col("is_judged_if_pooled")
                if target == "if_pooled"
                else pl.col("is_relevant").is_null(),
            )
            gains = counted.group_by("run_id").agg(
                true_low=(weight * pl.col("is_true").fill_null(False)).sum()
                / pl.col("n_topics").first(),
                true_high=(weight * pl.col("is_true").fill_null(True)).sum()
                / pl.col("n_topics").first(),
            )
            found.append(
                intervals.filter(measure=measure, target=target)
                .join(gains, on="run_id")
                .with_columns(share=pl.col("unjudged_weight") / whole)
            )
    # what pooling and what judging change is the same down to the pool depth
    is_below = pl.col("measure").replace_strict(MEASURES) > experiment.depth
    return (
        pl.concat(found)
        .filter(
            (pl.col("target") == "if_judged") == (is_below | pl.lit(bool(experiment.family))),
            pl.col("share") <= BANDS[-1],
            pl.col("true_high") - pl.col("true_low") <= UNKNOWN + NOISE,
            pl.col("true_high") - pl.col("true_low") < pl.col("unjudged_weight") - NOISE,
        )
        .with_columns(
            error=(pl.col("expected_gain") - pl.col("true_high")).clip(lower_bound=0)
            + (pl.col("expected_gain") - pl.col("true_low")).clip(upper_bound=0),
            **{
                f"holds_{percent}": (pl.col(f"ci_{percent}_low") <= pl.col("true_high") + NOISE)
                & (pl.col(f"ci_{percent}_high") >= pl.col("true_low") - NOISE)
                for percent in (68, 95)
            },
        )
    )


def tables(rows: pl.DataFrame) -> str:
    """Return the errors by length of lists and by family, and the coverage by unjudged share."""
    rows = rows.with_columns(
        length=pl.col("length").cast(pl.String).fill_null("all"),
        kind=pl.when(pl.col("family") == "")
        .then(pl.lit("organization"))
        .otherwise(pl.lit("family")),
        band=pl.concat_str(
            pl.lit("up to "),
            pl.min_horizontal(
                pl.when(pl.col("share") <= band).then(pl.lit(band)) for band in BANDS
            ),
        ),
    )
    one = rows.filter(pl.col("family") == "")
    families = rows.filter(pl.col("family") != "")
    found = [
        _table("one organization leaves, by length of lists in pool depths", one,
               ["pool", "target", "measure", "length"]),
        _table("a family leaves", families, ["pool", "family", "length", "measure"]),
        _table("by the unjudged share", rows.sort("kind", "length", "band"),
               ["kind", "length", "band"]),
    ]  # fmt: skip
    return markdown(found)


def _table(title: str, rows: pl.DataFrame, keys: list[str]) -> Table:
    cells = rows.group_by(keys, maintain_order=True).agg(
        runs=pl.len(),
        unjudged=pl.col("share").mean(),
        unadjusted=pl.col("true_low").mean(),
        error=pl.col("error").abs().mean(),
        mean_error=pl.col("error").mean(),
        holds_68=pl.col("holds_68").mean(),
        holds_95=pl.col("holds_95").mean(),
        half_width_95=(pl.col("ci_95_high") - pl.col("ci_95_low")).mean() / 2,
    )
    digits = {"unjudged": 3, "holds_68": 2, "holds_95": 2}
    lines = [
        tuple(
            figure(value, digits.get(name, 4)) if isinstance(value, float) else str(value)
            for name, value in row.items()
        )
        for row in cells.iter_rows(named=True)
    ]
    return title, cells.columns, lines
