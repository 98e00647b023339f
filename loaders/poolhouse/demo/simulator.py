"""A small archive of test collections whose relevance is known in full, written as TREC files.

On a real collection nobody knows how many relevant documents the pool missed. Here the truth is
known. The simulator draws the relevance of every document to every topic, lets runs rank the
documents, and pools the runs as a campaign would. It writes the runs, the judgements of the pool
and the truth. So the loss of a run whose organization is left out of the pool, and the adjustment
of an estimator, can be compared with the truth.

The model --------- One topic has `n_documents` documents. A few of them are relevant (grade 1) or
highly relevant (grade 2); their number is log-normal over topics. A document d has two kinds of
evidence:

    keywords(d) = signal(d) * [d shares the topic's words] + e1(d)
    meaning(d)  = signal(d)                                + e2(d)
    signal(d)   = ease * gain[grade of d]

e1 and e2 are standard normal and the same for all runs, so that a misleading document misleads all
runs. `ease` is log-normal over topics, because topics differ in difficulty. A share `keyword_share`
of the relevant documents has the words of the topic. The other relevant documents can be found only
by their meaning. A run weighs the evidence as its organization does, with a variation of
`run_variation`. It has two errors, one that all runs of its organization share and one of its own
(n1, n2 standard normal):

    score(d) = k * keywords(d) + m * meaning(d) + noise * n1(d) + run_noise * n2(d)

So runs of one organization resemble each other more than runs of two organizations. Organizations
resemble each other if they weigh the evidence similarly. A run returns its `run_depth` best
documents.

A document has a text of words of titles. A relevant document that shares a topic's words has each
word of the title with the probability `_SHARED_WORD`. Every document also has each of all these
words with the probability `_STRAY_WORD`. If few relevant documents share the words, and runs search
for the words, the relevant documents of the pool have more words of the title than all relevant
documents. This is the bias of Buckley et al., by construction (odd-one-out).

Whence ------ Two normal distributions of scores, one for relevant and one for other documents, are
the model of J. A. Swets, Information Retrieval Systems, Science 141, 1963. C. Buckley, D. Dimmick,
I. Soboroff and E. Voorhees observed that pools of runs which all search for key words miss relevant
documents without these words, and are unfair to a run that finds such documents: Bias and the
Limits of Pooling for Large Collections, Information Retrieval 10, 2007. W. Webber and L. A. F. Park
describe how the bias depends on the depth of the pool and on the number and variety of its runs,
and how to leave a run out: Score Adjustment for Correction of Pooling Bias, SIGIR 2009. The
combination of these ideas, and every figure in `RECIPES`, come from this module. The figures are
chosen so that the three collections show the properties in their titles. They are not fitted to a
real campaign.

The seed -------- The documents of a collection, each organization and each run have a random stream
of their own, made from the seed and the names. So adding or removing a recipe, organization or run
does not change the rankings of the others (the pool and the qrels do change). The same seed gives
the same bytes with the same versions of numpy and zlib. Other versions may draw other numbers, or
compress the same text to other bytes.
"""

import gzip
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from poolhouse.errors import PoolhouseError

_Floats = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.int64]
_Grades = npt.NDArray[np.int8]
_Flags = npt.NDArray[np.bool_]

_SCORE_DECIMALS = 4
_SHARED_WORD = 0.9
_STRAY_WORD = 0.05
_COMPRESSION = 3  # half the time of gzip's usual 6 for a fifth more bytes
_SUBJECTS = (
    "tidal power",
    "coral reefs",
    "night trains",
    "urban bees",
    "salt marshes",
    "river ferries",
    "cave paintings",
    "volcanic soil",
    "lighthouses",
    "wild horses",
)
_ASPECTS = ("protection", "history", "economics", "health effects", "new regulation", "accidents")


@dataclass(frozen=True)
class OrganizationRecipe:
    """An organization that submits runs, and the evidence by which they rank documents.

    The names of its runs are its name with a number from 1. The pooled runs come first.
    """

    name: str
    pooled_runs: int
    unpooled_runs: int = 0
    """Runs that are submitted, and scored, but do not contribute to the pool."""
    keywords: float = 1.0
    """Weight of the evidence of key words (k), whose error has standard deviation 1."""
    meaning: float = 0.25
    """Weight of the evidence of meaning (m), likewise."""
    noise: float = 0.6
    """Standard deviation of the error that all its runs share."""
    run_type: str = "automatic"

    def runs(self) -> Iterator[tuple[str, bool]]:
        """Yield the name of each of its runs, and whether it is pooled."""
        for number in range(self.pooled_runs + self.unpooled_runs):
            yield f"{self.name}{number + 1}", number < self.pooled_runs


@dataclass(frozen=True)
class CollectionRecipe:
    """All parameters of one simulated collection except the seed."""

    name: str
    """Also the name of its folder and of its random streams."""
    title: str
    document_prefix: str
    """Document ids are this, a hyphen and a number with leading zeros."""
    first_topic: int
    """Topic ids are whole numbers from this one."""
    pool_depth: int
    organizations: tuple[OrganizationRecipe, ...]
    n_topics: int = 30
    n_documents: int = 3000
    """Documents that compete in each topic; the same ids in all topics."""
    run_depth: int = 200
    """Documents that a run returns for each topic."""
    relevant: float = 80.0
    """Median number of relevant documents of a topic."""
    has_judge: bool = False
    """Whether a simulated model judged the documents of the pool, too."""
    relevant_spread: float = 0.5
    """Standard deviation of the logarithm of that number."""
    highly_relevant_share: float = 0.25
    """Share of the relevant documents that have grade 2."""
    gains: tuple[float, float, float] = (0.0, 1.2, 1.9)
    """Signal of grades 0, 1 and 2, in standard deviations of the evidence's error."""
    ease_spread: float = 0.35
    """Standard deviation of the logarithm of the topics' ease."""
    keyword_share: float = 0.85
    """Share of the relevant documents that have the topic's words."""
    run_noise: float = 0.3
    """Standard deviation of a run's own error."""
    run_variation: float = 0.1
    """Standard deviation of the logarithm of a run's weights around its organization's."""

    def __post_init__(self) -> None:
        if not 0 < self.pool_depth <= self.run_depth <= self.n_documents:
            raise ValueError(f"{self.name}: expected 0 < pool_depth <= run_depth <= n_documents")
        # The eleventh run of organization a and the first run of organization a1 would both be a11.
        run_ids = [run_id for _, run_id, _ in self.runs()]
        if len(set(run_ids)) < len(run_ids):
            raise ValueError(f"{self.name}: two runs have the same name")
        if not any(is_pooled for _, _, is_pooled in self.runs()):
            raise ValueError(f"{self.name}: without a pooled run there is no pool")

    def runs(self) -> Iterator[tuple[OrganizationRecipe, str, bool]]:
        """Yield every run: its organization, its id and whether it is pooled."""
        for organization in self.organizations:
            for run_id, is_pooled in organization.runs():
                yield organization, run_id, is_pooled


@dataclass(frozen=True)
class SimulatedCollection:
    """The files of one collection, all in the folder `<directory>/<name>`."""

    name: str
    title: str
    pool_depth: int
    runs: Path
    """Folder of `<run>.gz`, lines `topic Q0 docno rank score tag`, best document first."""
    qrels: Path
    """The pool's judgements, lines `topic 0 docno grade`, grades 0, 1 and 2."""
    truth: Path
    """The grade of every document in every topic, as qrels, gzipped."""
    descriptions: Path
    """CSV with header `run,organization,type,pooled`."""
    topics: Path
    """Lines `topic_id<TAB>title`."""
    texts: Path
    """Text of every document, JSON Lines with `docno` and `text`, gzipped."""
    document_frequencies: Path
    """CSV with header `word,df,n_documents`, every word of the titles."""
    judge: Path | None = None
    """Labels of a simulated model for the pool, as qrels with grades 0, 1 and 2."""


# Mean losses of P@10, over seeds, when an organization is left out: about 0.006 in the deep pool,
# and 0.06 to 0.10 in the shallow pool, although its organizations are more similar to each other.
# In the third collection, the odd one out loses 0.16 to 0.30, and the other organizations lose
# 0.02.
RECIPES: tuple[CollectionRecipe, ...] = (
    CollectionRecipe(
        name="deep-pool",
        title="A deep pool of many similar runs",
        document_prefix="DP",
        first_topic=101,
        pool_depth=50,
        organizations=(
            OrganizationRecipe("alder", 3, 1, noise=0.7),
            OrganizationRecipe("birch", 3, noise=0.5),
            OrganizationRecipe("cedar", 3, noise=0.9),
            OrganizationRecipe("elm", 2, 1, noise=1.1),
            OrganizationRecipe("fir", 2),
            OrganizationRecipe("hazel", 2, noise=1.3),
            OrganizationRecipe("larch", 2),
            OrganizationRecipe("maple", 3, noise=0.8),
            OrganizationRecipe("oak", 2, noise=0.7),
            OrganizationRecipe("rowan", 2, meaning=0.4),
            OrganizationRecipe("willow", 0, 1),
        ),
    ),
    CollectionRecipe(
        name="shallow-pool",
        title="A shallow pool of few runs",
        document_prefix="SP",
        first_topic=201,
        pool_depth=10,
        has_judge=True,
        organizations=(
            OrganizationRecipe("agate", 2, 1, noise=0.4),
            OrganizationRecipe("beryl", 2, noise=0.3),
            OrganizationRecipe("coral", 1, noise=0.5),
            OrganizationRecipe("flint", 2, noise=0.7),
            OrganizationRecipe("garnet", 1, meaning=0.35, noise=0.4),
            OrganizationRecipe("jasper", 0, 2, noise=0.5),
        ),
    ),
    CollectionRecipe(
        name="odd-one-out",
        title="One organization finds what the others do not look for",
        document_prefix="OO",
        first_topic=301,
        pool_depth=20,
        keyword_share=0.5,
        organizations=(
            OrganizationRecipe("crane", 2, 1),
            OrganizationRecipe("egret", 2, noise=0.5),
            OrganizationRecipe("finch", 2, noise=0.9),
            OrganizationRecipe("martin", 2, noise=0.7),
            OrganizationRecipe("robin", 2, noise=0.5),
            OrganizationRecipe("wren", 2, noise=0.7),
            OrganizationRecipe(
                "owl", 2, 1, keywords=0.25, meaning=1.0, noise=0.5, run_type="manual"
            ),
            OrganizationRecipe("plover", 0, 1),
        ),
    ),
)


@dataclass(frozen=True)
class _Documents:
    """The truth about every document in every topic."""

    grades: _Grades
    """Shape (n_topics, n_documents), 0, 1 or 2."""
    keywords: _Floats
    """Evidence of the key words, same shape."""
    meaning: _Floats
    """Evidence of the meaning, same shape."""
    shares_words: _Flags
    """Whether it is relevant and has the topic's words, same shape."""


@dataclass(frozen=True)
class _Run:
    """One run's answer to every topic, best document first."""

    run_id: str
    is_pooled: bool
    documents: _Integers
    """Document numbers from 0, shape (n_topics, run_depth)."""
    scores: _Floats
    """Scores as written, to `_SCORE_DECIMALS` decimals, same shape."""


def simulate(
    directory: Path, seed: int, recipes: Sequence[CollectionRecipe] = RECIPES
) -> list[SimulatedCollection]:
    """Simulate each recipe from the seed (0 or more) and write it to its folder in `directory`.

    Files of an earlier simulation are overwritten. Raise PoolhouseError where a folder of runs
    holds other files, because a load would read them too.
    """
    return [_simulate_collection(directory / recipe.name, seed, recipe) for recipe in recipes]


def _simulate_collection(
    directory: Path, seed: int, recipe: CollectionRecipe
) -> SimulatedCollection:
    collection = SimulatedCollection(
        name=recipe.name,
        title=recipe.title,
        pool_depth=recipe.pool_depth,
        runs=directory / "runs",
        qrels=directory / "qrels.txt",
        truth=directory / "truth.qrels.gz",
        descriptions=directory / "descriptions.csv",
        topics=directory / "topics.tsv",
        texts=directory / "texts.jsonl.gz",
        document_frequencies=directory / "document_frequencies.csv",
        judge=directory / "model.qrels" if recipe.has_judge else None,
    )
    _prepare_folder(collection.runs, recipe)
    documents = _draw_documents(seed, recipe)
    in_pool = np.zeros(documents.grades.shape, dtype=np.bool_)
    for run in _draw_runs(seed, recipe, documents):
        if run.is_pooled:
            np.put_along_axis(in_pool, run.documents[:, : recipe.pool_depth], True, axis=1)
        _write_run(collection.runs / f"{run.run_id}.gz", recipe, run)
    _write_qrels(collection.qrels, recipe, documents.grades, in_pool)
    _write_qrels(collection.truth, recipe, documents.grades, np.ones_like(in_pool))
    if collection.judge:
        _write_qrels(collection.judge, recipe, _judged(seed, recipe, documents.grades), in_pool)
    _write_descriptions(collection.descriptions, recipe)
    _write_topics(collection.topics, recipe)
    words, has_word = _draw_texts(seed, recipe, documents.shares_words)
    _write_texts(collection.texts, recipe, words, has_word)
    _write_frequencies(collection.document_frequencies, words, has_word)
    return collection


def _stream(seed: int, *names: str) -> np.random.Generator:
    """Open the random stream for these names.

    The bit generator is named, because numpy may change its default.
    """
    # Zero cannot be part of a name, so no two lists of names give the same key.
    key = tuple("\0".join(names).encode())
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def _draw_documents(seed: int, recipe: CollectionRecipe) -> _Documents:
    """Draw the relevance of every document and the evidence that all runs share."""
    stream = _stream(seed, recipe.name)
    shape = (recipe.n_topics, recipe.n_documents)
    grades = _draw_grades(stream, recipe)
    has_words = stream.random(shape) < recipe.keyword_share
    ease = np.exp(recipe.ease_spread * stream.standard_normal((recipe.n_topics, 1)))
    signal = ease * np.array(recipe.gains)[grades]
    return _Documents(
        grades=grades,
        keywords=signal * has_words + stream.standard_normal(shape),
        meaning=signal + stream.standard_normal(shape),
        shares_words=has_words & (grades > 0),
    )


def _draw_grades(stream: np.random.Generator, recipe: CollectionRecipe) -> _Grades:
    """Draw the grade of every document, shape (n_topics, n_documents)."""
    spread = np.exp(recipe.relevant_spread * stream.standard_normal((recipe.n_topics, 1)))
    # Every topic has a relevant document, because campaigns drop other topics.
    n_relevant = np.clip(np.rint(recipe.relevant * spread), 1, recipe.n_documents)
    n_highly_relevant = np.rint(recipe.highly_relevant_share * n_relevant)
    # The place of each document in a random order. The documents in the first places are relevant.
    place = stream.permuted(np.tile(np.arange(recipe.n_documents), (recipe.n_topics, 1)), axis=1)
    return (place < n_relevant).astype(np.int8) + (place < n_highly_relevant).astype(np.int8)


def _judged(seed: int, recipe: CollectionRecipe, grades: _Grades) -> _Grades:
    """Draw the grades of a model that sees the true grades with errors, and rates a bit higher."""
    errors = _stream(seed, recipe.name, "judge").normal(0.2, 0.5, grades.shape)
    judged: _Grades = np.clip(np.rint(grades + errors), 0, grades.max()).astype(grades.dtype)
    return judged


def _draw_runs(seed: int, recipe: CollectionRecipe, documents: _Documents) -> Iterator[_Run]:
    """Let every run rank the documents, in the order of the recipe."""
    shape = documents.grades.shape
    for organization in recipe.organizations:
        stream = _stream(seed, recipe.name, organization.name)
        shared_error = organization.noise * stream.standard_normal(shape)
        for run_id, is_pooled in organization.runs():
            stream = _stream(seed, recipe.name, organization.name, run_id)
            more_keywords, more_meaning = np.exp(recipe.run_variation * stream.standard_normal(2))
            scores = (
                organization.keywords * more_keywords * documents.keywords
                + organization.meaning * more_meaning * documents.meaning
                + shared_error
                + recipe.run_noise * stream.standard_normal(shape)
            )
            yield _Run(run_id, is_pooled, *_rank(scores, recipe.run_depth))


def _rank(scores: _Floats, depth: int) -> tuple[_Integers, _Floats]:
    """Return the `depth` best documents of each topic, in the order of the written scores.

    The order is by score as a 32-bit float, descending, and then by document id, descending
    (trec_eval's rule). Scores are rounded first, because rounding makes ties, also at the ends of
    the pool and of the run.

    The scores have shape (n_topics, n_documents). The document numbers and rounded scores of the
    result have shape (n_topics, depth).
    """
    written = np.round(scores, _SCORE_DECIMALS)
    # Document ids are numbers with leading zeros, so that their order as bytes is the order of the
    # columns. A stable sort from the last column to the first puts the higher id of a tie first.
    backwards = -written[:, ::-1].astype(np.float32)
    best = np.argsort(backwards, axis=1, kind="stable")[:, :depth]
    documents = written.shape[1] - 1 - best
    return documents, np.take_along_axis(written, documents, axis=1)


def _prepare_folder(runs: Path, recipe: CollectionRecipe) -> None:
    """Make the folder of runs, or check that an existing folder holds only simulated runs."""
    ours = {f"{run_id}.gz" for _, run_id, _ in recipe.runs()}
    runs.mkdir(parents=True, exist_ok=True)
    others = sorted(path.name for path in runs.iterdir() if path.name not in ours)
    # A load skips hidden files, such as the files of file managers.
    others = [name for name in others if not name.startswith(".")]
    if others:
        raise PoolhouseError(
            f"{runs}: holds {others[0]}, which is no run of the simulation; "
            "remove it or simulate into another directory"
        )


def _write_run(path: Path, recipe: CollectionRecipe, run: _Run) -> None:
    lines = pl.DataFrame(
        {
            "topic": _topic_ids(recipe).repeat(recipe.run_depth),
            "document": run.documents.ravel(),
            "rank": np.tile(np.arange(1, recipe.run_depth + 1), recipe.n_topics),
            "score": run.scores.ravel(),
        }
    ).select(
        "topic",
        pl.lit("Q0").alias("Q0"),
        _document_id(recipe),
        "rank",
        "score",
        pl.lit(run.run_id).alias("tag"),
    )
    _write(path, lines)


def _write_qrels(path: Path, recipe: CollectionRecipe, grades: _Grades, which: _Flags) -> None:
    """Write the grades, shape (n_topics, n_documents), of the pairs that `which` marks."""
    topic, document = np.nonzero(which)
    lines = pl.DataFrame(
        {"topic": _topic_ids(recipe)[topic], "document": document, "grade": grades[which]}
    ).select("topic", pl.lit(0).alias("iteration"), _document_id(recipe), "grade")
    _write(path, lines)


def _write_descriptions(path: Path, recipe: CollectionRecipe) -> None:
    rows = [
        f"{run_id},{organization.name},{organization.run_type},{str(is_pooled).lower()}\n"
        for organization, run_id, is_pooled in recipe.runs()
    ]
    path.write_bytes("".join(["run,organization,type,pooled\n", *rows]).encode())


def _write_topics(path: Path, recipe: CollectionRecipe) -> None:
    titled = zip(_topic_ids(recipe), _titles(recipe), strict=True)
    path.write_bytes("".join(f"{topic}\t{title}\n" for topic, title in titled).encode())


def _titles(recipe: CollectionRecipe) -> list[str]:
    """Make titles for people. No run uses them."""
    pairs = (divmod(number, len(_SUBJECTS)) for number in range(recipe.n_topics))
    return [f"{_SUBJECTS[subject]} {_ASPECTS[aspect % len(_ASPECTS)]}" for aspect, subject in pairs]


def _draw_texts(
    seed: int, recipe: CollectionRecipe, shares_words: _Flags
) -> tuple[list[str], _Flags]:
    """Draw the words of documents. Return the words, and flags of shape (words, documents)."""
    stream = _stream(seed, recipe.name, "", "texts")
    titles = [title.split() for title in _titles(recipe)]
    words = sorted({word for title in titles for word in title})
    has_word: _Flags = stream.random((len(words), recipe.n_documents)) < _STRAY_WORD
    for title, shares in zip(titles, shares_words, strict=True):
        rows = [words.index(word) for word in title]
        has_word[rows] |= shares & (stream.random((len(rows), len(shares))) < _SHARED_WORD)
    return words, has_word


def _write_texts(path: Path, recipe: CollectionRecipe, words: list[str], has_word: _Flags) -> None:
    ids = pl.DataFrame({"document": np.arange(recipe.n_documents)}).select(_document_id(recipe))
    lines = []
    for docno, held in zip(ids.to_series(), has_word.T, strict=True):
        text = f"Of {', '.join(words[place] for place in np.flatnonzero(held)) or 'nothing'}."
        lines.append(json.dumps({"docno": docno, "text": text}) + "\n")
    packed = gzip.compress("".join(lines).encode(), compresslevel=_COMPRESSION, mtime=0)
    path.write_bytes(packed)


def _write_frequencies(path: Path, words: list[str], has_word: _Flags) -> None:
    counts = zip(words, has_word.sum(axis=1), strict=True)
    rows = [f"{word},{count},{has_word.shape[1]}\n" for word, count in counts]
    path.write_bytes("".join(["word,df,n_documents\n", *rows]).encode())


def _topic_ids(recipe: CollectionRecipe) -> _Integers:
    return np.arange(recipe.first_topic, recipe.first_topic + recipe.n_topics)


def _document_id(recipe: CollectionRecipe) -> pl.Expr:
    """Write the ids of the column `document`. All ids have the same length, see `_rank`."""
    digits = len(str(recipe.n_documents - 1))
    number = pl.col("document").cast(pl.String).str.zfill(digits)
    return pl.format(f"{recipe.document_prefix}-{{}}", number)


def _write(path: Path, lines: pl.DataFrame) -> None:
    """Write the columns, separated by blanks; compressed, without a date, if the name says so."""
    buffer = io.BytesIO()
    lines.write_csv(buffer, include_header=False, separator=" ", float_precision=_SCORE_DECIMALS)
    text = buffer.getvalue()
    path.write_bytes(
        gzip.compress(text, compresslevel=_COMPRESSION, mtime=0) if path.suffix == ".gz" else text
    )
