"""The errors that users see. Each message is one line that says what is wrong and what to do."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a known name; empty if no name is similar."""
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


class PoolhouseError(Exception):
    """A problem that the user can solve; the command line prints one line and exits with 1.

    `excerpt` are lines that show the place in what the user wrote, where there is one; they are
    printed below.
    """

    def __init__(self, problem: str, excerpt: str = "") -> None:
        super().__init__(problem)
        self.excerpt = excerpt


class PoolhouseWarning(UserWarning):
    """A caution about a result; the command line prints it as a note."""


class BadFileError(PoolhouseError):
    """A file that cannot be loaded as a whole; nothing of it is kept."""

    def __init__(self, path: Path, problem: str, line: int | None = None) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}")
        self.path = path
        self.problem = problem
        self.line = line

    def beside(self, others: "Sequence[BadFileError]") -> "BadFileError":
        """Return an error that also names other bad files."""
        if not others:
            return self
        names = ", ".join(error.path.name for error in others)
        return BadFileError(self.path, f"{self.problem}; bad too: {names}", self.line)


class SeveralRunsError(PoolhouseError):
    """A folder of several runs was named where one run is expected."""

    def __init__(self, path: Path, n_runs: int) -> None:
        super().__init__(f"{path} holds {n_runs} runs: name one of them")


class WarehouseMissingError(PoolhouseError):
    """There is no warehouse file yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: no warehouse here; load a collection first (poolhouse load --help), "
            "or name the file with --db"
        )


class WarehouseUnreadableError(PoolhouseError):
    """The file is not a warehouse, or not one that this version can open."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: cannot be opened as a Poolhouse warehouse: {problem}")


class WarehouseBusyError(PoolhouseError):
    """Another process is loading or building."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(
            f"{path}: another load, removal, build or check is running ({holder}); try again later"
        )


class DiskFullError(PoolhouseError):
    """There is no disk space for a load or build; the published warehouse is unchanged."""

    def __init__(self, path: Path, problem: str, n_taken: int, n_free: int) -> None:
        super().__init__(
            f"{path}: disk or quota full, nothing was published: {problem}; a load or build works "
            f"on a copy beside the warehouse ({n_taken / 1e6:.1f} MB now, {n_free / 1e6:.1f} MB "
            "free there) and needs room for that and for what it adds"
        )


class UnknownCollectionError(PoolhouseError):
    """The requested collection is not loaded."""

    def __init__(self, collection: str, known: Collection[str]) -> None:
        names = ", ".join(known) if known else "none"
        super().__init__(
            f"collection {collection!r} is not in the warehouse (loaded: {names})"
            f"{did_you_mean(collection, known)}"
        )


def check_known(asked: Iterable[str], known: Collection[str]) -> None:
    """Raise UnknownCollectionError for the first requested collection that is not known."""
    for collection in asked:
        if collection not in known:
            raise UnknownCollectionError(collection, known)


class IncompleteCollectionError(PoolhouseError):
    """A collection has no runs, or has no judgements and was not declared as unjudged."""

    def __init__(self, collection: str, missing: str, hint: str = "") -> None:
        super().__init__(f"collection {collection!r} has no {missing}; nothing was loaded{hint}")


class NotBuiltError(PoolhouseError):
    """Something needs marts that are not built, or not current."""

    def __init__(self, problem: str = "nothing is built yet") -> None:
        super().__init__(f"{problem}: run poolhouse build first")


class NotJudgedError(PoolhouseError):
    """A collection without judgements was asked for scores."""

    def __init__(self, collection: str) -> None:
        super().__init__(
            f"collection {collection!r} is not judged yet, so that nothing is scored: run "
            "poolhouse load COLLECTION --qrels FILE, or poolhouse pool load COLLECTION LIST, and "
            "then poolhouse build"
        )


class AccountError(PoolhouseError):
    """The lines read and the rows stored do not add up: a defect of Poolhouse, not of the files."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}; nothing was loaded, please report this")


class PlanError(PoolhouseError):
    """The models cannot be built: dbt or the engine refuses them, or they break a rule."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the models cannot be built, nothing was changed: {problem}")


class BuildFailedError(PoolhouseError):
    """A model or a test failed; the published warehouse is left as it was.

    `problem` says what failed, without a word about the warehouse.
    """

    def __init__(self, problems: list[str], log: Path) -> None:
        self.problem = "; ".join(problems)
        super().__init__(
            f"build failed, the published warehouse is unchanged: {self.problem} (log: {log})"
        )
