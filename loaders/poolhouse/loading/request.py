"""What a load is asked for: the files of a collection, and declarations about it."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.author_names import check_authors
from poolhouse.loading.inputs import SINGLES, Input, Source, path_of
from poolhouse.loading.passages import passages_option
from poolhouse.loading.run_files import is_name, run_files
from poolhouse.loading.run_names import run_name, run_name_option
from poolhouse.option_values import (
    DEFAULT_LIMIT,
    JUDGINGS,
    LARGEST_DECLARED,
    LAST_YEAR,
    LEADERBOARD_MEASURES,
    POOLING_ORDERS,
)
from poolhouse.request_fields import FileLike, as_path, check_limits, option, said

if TYPE_CHECKING:
    # No help text waits for the parsers.
    from poolhouse.loading.parsers import SourceFile

# The fields that say how files are loaded, and name nothing to load.
_WAYS = (
    "unjudged",
    "run_id",
    "replace",
    "strict",
    "max_file_size",
    "is_quotable",
    "are_after_pool",
)

# The declarations about a collection, with their columns in `raw.collections`.
DECLARED = {
    **{name: name for name in ("title", "track", "year", "task", "judged_from", "pooling_order")},
    "highest_grade": "highest_grade",
    "measure": "main_measure",
    "depth": "declared_pool_depth",
    "threshold": "relevance_threshold",
    "judging": "declared_judging",
    "leave_out_own_id": "leaves_out_own_id",
    "residual": "residual_round",
    "passages": "passage_mark",
}


def listed(runs: "Iterable[FileLike | SourceFile]") -> tuple[Source, ...]:
    """Return the files of folders and files, and texts from memory after them."""
    given = [source for each in runs if (source := as_source(each)) is not None]
    texts = tuple(each for each in given if not isinstance(each, Path))
    return (*run_files(each for each in given if isinstance(each, Path)), *texts)


def _or_none(file: FileLike | None) -> Path | None:
    return None if file is None else as_path(file)


def as_source(given: "FileLike | SourceFile | None") -> Source | None:
    """Return the path of a file; other sources are what they are."""
    return as_path(given) if isinstance(given, str | os.PathLike) else given


def _paths(files: Iterable[FileLike]) -> tuple[Path, ...]:
    return tuple(map(as_path, files))


def _named(
    files: "Mapping[str, FileLike] | Iterable[tuple[str, FileLike | SourceFile]] | None",
) -> tuple[tuple[str, Source], ...]:
    pairs = files.items() if isinstance(files, Mapping) else files or ()
    return tuple((name, source) for name, file in pairs if (source := as_source(file)) is not None)


def _named_files(
    files: Mapping[str, FileLike] | Iterable[tuple[str, FileLike]] | None,
) -> tuple[tuple[str, Path], ...]:
    pairs = files.items() if isinstance(files, Mapping) else files or ()
    return tuple((name, as_path(file)) for name, file in pairs)


def leaderboard_measure(text: str | None) -> str | None:
    """Return the measure of the leaderboards that a text means; the text where it means none."""
    if text is None or text in LEADERBOARD_MEASURES or not text.isascii():
        return text
    # Only other names of a measure need the rule, which takes a tenth of a second.
    from poolhouse.building.written_measures import written_measure  # noqa: PLC0415

    written = written_measure(text)
    return written if written in LEADERBOARD_MEASURES else text


@frozen
class _RunsAndQrels:
    """What most loads name; the other fields have to be named."""

    collection: str
    runs: tuple[Source, ...] = field(
        default=(),
        converter=listed,
        metadata=said(
            "Run files, or a folder of run files. The name of a file becomes the id of the run.",
            metavar="DIR|FILE...",
            is_file=True,
        ),
    )
    qrels: Source | None = field(
        default=None,
        converter=as_source,
        metadata=said(
            "Relevance judgements, with the name of their author; repeatable. Without a name, they "
            "are the reference.",
            metavar="[NAME=]FILE",
        ),
    )


@frozen(kw_only=True)
class LoadRequest(_RunsAndQrels):
    """The files of a collection, or files to add to a collection, and declarations about it.

    Each run is one file. A declaration that is None keeps the declaration of an earlier load.
    Runs, judgements and titles may be texts that were made in memory. `max_file_size` is the limit
    for the text of one file, in bytes. `is_quotable` says whether messages may quote the files.
    They may not if an archive names the files, because its author need not be allowed to read them.
    `are_after_pool` says that the runs were made after the pool was judged: they were not pooled,
    even if the qrels hold their documents.

    Raise PoolhouseError for a declaration outside its limits, and where two fields give the same
    facts. Raise BadFileError where a run file is missing, or two files have the same name.
    """

    author_qrels: tuple[tuple[str, Source], ...] = field(default=(), converter=_named)
    run_id: str = run_name_option()
    preferences: tuple[tuple[str, Source], ...] = field(
        default=(),
        converter=_named,
        metadata=said(
            "Preferences between documents, with the name of their author: topic better worse "
            "[equal]; repeatable.",
            metavar="NAME=FILE",
        ),
    )
    reference: str | None = option(
        "Author whose judgements are the reference, from which everything is computed.",
        metavar="NAME",
    )
    authors: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Declarations of authors: CSV author[,kind][,threshold][,highest][,model][,prompt]"
            "[,date][,notes][,answered]. The kinds are person, crowd and model.",
            is_file=True,
        ),
    )
    ir_dataset: str | None = option(
        "Take judgements from this data set of ir_datasets, and titles too unless --topics is "
        "given. ir_datasets downloads missing files (pip install 'poolhouse[ir_datasets]').",
        metavar="ID",
    )
    unjudged: bool = option(
        "Load runs without judgements, to plan the pool. Qrels may be loaded later.", default=False
    )
    descriptions: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Descriptions of runs: CSV run,organization[,type][,pooled][,depth][,description]"
            "[,task], the XML of <runs> with <tag>, <organization>, or NIST's page of runs "
            "(runs.md).",
            is_file=True,
        ),
    )
    topics: Source | None = field(
        default=None,
        converter=as_source,
        metadata=said("Topic titles: id, tab, title.", is_file=True),
    )
    topic_attributes: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Attributes of topics, by which scores can be sliced: CSV "
            "topic,ATTRIBUTE[,ATTRIBUTE]...",
            is_file=True,
        ),
    )
    common_topics: tuple[tuple[str, Path], ...] = field(
        default=(),
        converter=_named_files,
        metadata=said(
            "Judgements of the common topics: topics on which this run was judged too; repeatable.",
            metavar="RUN QRELS",
        ),
    )
    passages: str | None = passages_option()
    leave_out: Source | None = field(
        default=None,
        converter=as_source,
        metadata=said(
            "Documents that do not count for a topic, in runs and judgements: topic document a "
            "line. Ranks close up.",
            is_file=True,
        ),
    )
    leave_out_own_id: bool | None = option(
        "Leave out the document that has the id of its topic, where queries are documents.",
        default=False,
        converter=lambda is_declared: is_declared or None,
    )
    residual: float | None = option(
        "Leave out the documents that were judged in an earlier round than this one, by the "
        "second column of the qrels.",
        metavar="ROUND",
        least=0,
        most=LARGEST_DECLARED,
    )
    texts: tuple[Path, ...] = field(
        default=(),
        converter=_paths,
        metadata=said(
            "Texts of judged documents, as JSON Lines or TREC SGML; title words are looked up in "
            "these texts. Repeatable.",
            metavar="FILE",
            is_file=True,
        ),
    )
    title_words: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Table topic,word,document of the judged documents that hold a title word; replaces "
            "--texts.",
            is_file=True,
        ),
    )
    document_frequencies: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Table word,df: the number of documents of the whole collection that hold a word.",
            is_file=True,
        ),
    )
    pool: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Record of how the documents to judge were chosen: the file pool.jsonl of `export "
            "--format trec`. It replaces what `pool make` recorded.",
            is_file=True,
        ),
    )
    official_results: Path | None = field(
        default=None,
        converter=_or_none,
        metadata=said(
            "Scores that were computed elsewhere: NIST's page of results (results.md), or lines "
            "of run, measure, topic, value. A build compares them with the scores that it "
            "computes.",
            is_file=True,
        ),
    )
    title: str | None = option("Name of the collection in reports.")
    track: str | None = option("Campaign or track, whose years are compared, such as trec-web.")
    year: int | None = option("Year of the campaign.", least=1, most=LAST_YEAR)
    task: str | None = option("Task within the track, such as ad-hoc.")
    measure: str | None = option(
        "Main measure, by which leaderboards, reports and advice order the runs; or its name "
        "in trec_eval, such as ndcg_cut_10.  [default: as in the previous load; AP in the "
        "first]",
        among=LEADERBOARD_MEASURES,
        converter=leaderboard_measure,
    )
    depth: int | None = option(
        "Pool depth, if known. Otherwise it is inferred.", least=1, most=LARGEST_DECLARED
    )
    threshold: int | None = option(
        "Lowest relevance grade that counts as relevant.  [default: as in the previous load; 1 "
        "in the first]",
        least=1,
        most=LARGEST_DECLARED,
    )
    judged_from: int | None = option(
        "Lowest grade that is a judgement, such as -2 where -2 means junk: judged and not "
        "relevant. A lower grade means in the pool and not judged.  [default: as in the "
        "previous load; 0 in the first]",
        least=-LARGEST_DECLARED,
        most=0,
    )
    judging: str | None = option(
        "How the collection was judged, where the judgements do not show it: the first "
        "documents of runs (pooled), every candidate (exhaustive), or a few known relevant "
        "documents (sparse; judging.md).",
        among=JUDGINGS,
    )
    pooling_order: str | None = option(
        "Order of the documents of a run when the runs were pooled: by score (ties by document "
        "id descending, as in trec_eval), by line of the file, or by the given rank.  "
        "[default: as in the previous load; score in the first]",
        among=POOLING_ORDERS,
    )
    replace: bool = option(
        "Let judgements take the place of loaded ones that they lack or grade otherwise.",
        default=False,
    )
    strict: bool = option("Stop the load at any malformed line.", default=False)
    max_file_size: int = option(
        "Limit for the decompressed text of one file. Descriptions and topics have a 16th of "
        "this limit.",
        metavar="MB",
        shows_default=True,
        default=DEFAULT_LIMIT,
    )
    highest_grade: int | None = option(
        "Highest grade of the relevance scale. `check` reports higher grades.",
        least=1,
        most=LARGEST_DECLARED,
    )
    is_quotable: bool = True
    are_after_pool: bool = False

    def __attrs_post_init__(self) -> None:
        check_limits(self)
        for name in ("title", "track", "task", "passages"):
            value = getattr(self, name)
            if value is not None and not is_name(value):
                raise PoolhouseError(f"{name} {value!r} is empty or not printable")
        if self.qrels is not None and self.ir_dataset is not None:
            raise PoolhouseError("judgements come from qrels or from ir_dataset: give one of them")
        for named in (self.author_qrels, self.preferences):
            check_authors([author for author, _ in named])
        self._refuse_two_files_of_a_run()
        self._refuse_same_words()

    def _refuse_two_files_of_a_run(self) -> None:
        files: dict[str, Path] = {}
        for run_id, source in self.named_runs:
            path = path_of(source)
            if run_id in files:
                raise BadFileError(
                    path,
                    f"{files[run_id]} is also run {run_id!r}; rename one of the files, or name "
                    "runs otherwise: --run-id folder, or tag",
                )
            files[run_id] = path
        files = {}
        for run_id, path in self.common_topics:
            if run_id in files:
                problem = f"{files[run_id]} also holds common topics of run {run_id!r}"
                raise BadFileError(
                    path, f"{problem}; put all judgements for this run into one file"
                )
            files[run_id] = path

    def _refuse_same_words(self) -> None:
        """Refuse two files of texts with the same name, and texts beside a table."""
        names = Counter(path.name for path in self.texts)
        for path in self.texts:
            if not is_name(path.name):
                raise BadFileError(path, "its name is not printable; rename the file")
            if names[path.name] > 1:
                problem = "another file of texts has that name; rename one, or load them as one"
                raise BadFileError(path, problem)
        if self.texts and self.title_words:
            raise PoolhouseError(
                "texts and a table of title words give the same facts: load only one of them"
            )

    @cached_property
    def named_runs(self) -> list[tuple[str, Source]]:
        """The runs with their ids. Text from memory has its id as the name of its path."""
        return [
            (run_name(path_of(each), self.run_id if isinstance(each, Path) else "file"), each)
            for each in self.runs
        ]

    @property
    def run_ids(self) -> list[str]:
        """The ids of all runs."""
        return [run_id for run_id, _ in self.named_runs]

    @property
    def run_files(self) -> tuple[Path, ...]:
        """The run files. Runs that were made in memory have none."""
        return tuple(each for each in self.runs if isinstance(each, Path))

    @property
    def paths(self) -> list[Path]:
        """The files that are read. Texts that were made in memory have none."""
        return [each.source for each in self.inputs if isinstance(each.source, Path)]

    @property
    def n_files(self) -> int:
        """Count the files and texts that are read."""
        return len(self.inputs)

    @property
    def inputs(self) -> list[Input]:
        """Everything that is read, with its kind and its name."""
        return [
            *(Input("run", *named) for named in self.named_runs),
            *(Input(kind, kind, source) for kind in SINGLES if (source := getattr(self, kind))),
            *(Input("common_topics", *of_run) for of_run in self.common_topics),
            *(Input("author_qrels", *of_author) for of_author in self.author_qrels),
            *(Input("preferences", *of_author) for of_author in self.preferences),
            *(Input("texts", path.name, path) for path in self.texts),
        ]

    @property
    def names_nothing(self) -> bool:
        """Whether nothing is named that could be loaded or declared."""
        ways = {name: getattr(self, name) for name in _WAYS}
        return evolve(LoadRequest(self.collection), **ways) == self

    def declared(self) -> dict[str, object]:
        """Return the declarations by their columns in `raw.collections`."""
        return {column: getattr(self, name) for name, column in DECLARED.items()}
