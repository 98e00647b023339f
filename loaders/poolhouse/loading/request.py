"""What a load is asked for: the declarations about a collection, and its files."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.author_names import check_authors
from poolhouse.loading.kinds import inputs_of
from poolhouse.loading.parsers import run_id_of
from poolhouse.loading.run_files import is_name
from poolhouse.loading.title_word_files import TitleWordFiles
from poolhouse.loading.trec_text import MadeTexts
from poolhouse.option_values import (
    DEFAULT_LIMIT,
    JUDGINGS,
    LARGEST_DECLARED,
    LAST_YEAR,
    LEADERBOARD_MEASURES,
    POOLING_ORDERS,
    leaderboard_measure,
)


@dataclass(frozen=True)
class CollectionSettings:
    """Declarations about a collection; None keeps the declaration of an earlier load."""

    title: str | None = None
    pool_depth: int | None = None
    relevance_threshold: int | None = None
    pooling_order: str | None = None
    highest_grade: int | None = None
    track: str | None = None
    year: int | None = None
    task: str | None = None
    main_measure: str | None = None
    judged_from: int | None = None
    judging: str | None = None

    def __post_init__(self) -> None:
        if self.pooling_order not in (None, *POOLING_ORDERS):
            raise PoolhouseError(
                f"pooling order {self.pooling_order!r} is not one of {POOLING_ORDERS}"
            )
        if self.judging not in (None, *JUDGINGS):
            raise PoolhouseError(f"judging {self.judging!r} is not one of {JUDGINGS}")
        if self.main_measure is not None:
            # as a frozen class sets a field
            object.__setattr__(self, "main_measure", leaderboard_measure(self.main_measure))
        if self.main_measure not in (None, *LEADERBOARD_MEASURES):
            raise PoolhouseError(
                f"measure {self.main_measure!r} is not one of the leaderboards: "
                f"{', '.join(LEADERBOARD_MEASURES)}"
            )
        for name in ("title", "track", "task"):
            value = getattr(self, name)
            if value is not None and not is_name(value):
                raise PoolhouseError(f"{name} {value!r} is empty or not printable")
        if self.year is not None and not 1 <= self.year <= LAST_YEAR:
            raise PoolhouseError(f"year is {self.year}, expected 1 to {LAST_YEAR}")
        for name in ("pool_depth", "relevance_threshold", "highest_grade"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= LARGEST_DECLARED:
                problem = f"is {value}, expected 1 to {LARGEST_DECLARED}"
                raise PoolhouseError(f"{name.replace('_', ' ')} {problem}")

        if self.judged_from is not None and not -LARGEST_DECLARED <= self.judged_from <= 0:
            raise PoolhouseError(
                f"judged from is {self.judged_from}, expected -{LARGEST_DECLARED} to 0"
            )

    def by_column(self) -> dict[str, object]:
        """Return the declarations by their columns in `raw.collections`."""
        declared = asdict(self)
        return {
            "declared_pool_depth": declared.pop("pool_depth"),
            "declared_judging": declared.pop("judging"),
            **declared,
        }


@dataclass(frozen=True)
class LoadRequest:
    """The files of a collection, or files to add to a collection. Each run is one file.

    With `is_strict` any rejected line stops the load. `max_file_size` is the limit for the text of
    one file, in bytes. `are_after_pool` says that the runs were made after the pool was judged:
    they were not pooled, even if the qrels hold their documents. `common_topics` pairs a run with
    the judgements of topics on which it was judged too. `is_unjudged` says that the collection has
    no qrels yet; qrels may be loaded later, and until then more files may be loaded without
    `is_unjudged`. `author_qrels` are judgements by their author. `reference` names the author whose
    judgements are the qrels. `authors` is a file of declarations. `title_words` are files that say
    which documents hold a word of a title. `made` is text that was made in memory: more runs, and
    judgements and titles where no files of these are named. `official_results` is a page of the
    scores that the organizers published. `is_quotable` says whether messages may quote the files.
    They may not if an archive names the files, because its author need not be allowed to read them.
    With `may_replace`, judgements may take the place of others that they contradict or lack.
    """

    collection: str
    runs: tuple[Path, ...] = ()
    qrels: Path | None = None
    descriptions: Path | None = None
    topics: Path | None = None
    settings: CollectionSettings = CollectionSettings()
    is_strict: bool = False
    max_file_size: int = DEFAULT_LIMIT
    are_after_pool: bool = False
    common_topics: tuple[tuple[str, Path], ...] = ()
    is_unjudged: bool = False
    title_words: TitleWordFiles = field(default_factory=TitleWordFiles)
    topic_attributes: Path | None = None
    author_qrels: tuple[tuple[str, Path], ...] = ()
    reference: str | None = None
    authors: Path | None = None
    made: MadeTexts = field(default_factory=MadeTexts)
    official_results: Path | None = None
    is_quotable: bool = True
    may_replace: bool = False

    @property
    def run_ids(self) -> list[str]:
        """The ids of all runs."""
        paths = (*self.runs, *(each.path for each in self.made.runs))
        return [run_id_of(path.name) for path in paths]

    @property
    def paths(self) -> list[Path]:
        """The files that are read. Texts that were made in memory have none."""
        return [each.source for each in inputs_of(self) if isinstance(each.source, Path)]

    @property
    def n_files(self) -> int:
        """Count the files and texts that are read."""
        return len(inputs_of(self))

    def __post_init__(self) -> None:
        files: dict[str, Path] = {}
        for run_id, path in self.common_topics:
            if run_id in files:
                problem = f"{files[run_id]} also holds common topics of run {run_id!r}"
                raise BadFileError(
                    path, f"{problem}; put all judgements for this run into one file"
                )
            files[run_id] = path
        check_authors([author for author, _ in self.author_qrels])
