"""The files of a load about title words."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.run_files import is_name


@dataclass(frozen=True)
class TitleWordFiles:
    """Files about documents with title words: texts, or a table instead.

    `document_frequencies` has the number of documents of the whole collection with each word. Raise
    BadFileError where two files of texts have the same name. Raise PoolhouseError for both texts
    and a table.
    """

    texts: tuple[Path, ...] = ()
    table: Path | None = None
    document_frequencies: Path | None = None

    def __post_init__(self) -> None:
        names = Counter(path.name for path in self.texts)
        for path in self.texts:
            if not is_name(path.name):
                raise BadFileError(path, "its name is not printable; rename the file")
            if names[path.name] > 1:
                problem = "another file of texts has that name; rename one, or load them as one"
                raise BadFileError(path, problem)
        if self.texts and self.table:
            raise PoolhouseError(
                "texts and a table of title words give the same facts: load only one of them"
            )

    def by_kind(self) -> list[tuple[str, str, Path]]:
        """Return kind, name and path of each."""
        single = (
            ("title_words", self.table),
            ("document_frequencies", self.document_frequencies),
        )
        return [
            *(("texts", path.name, path) for path in self.texts),
            *((kind, kind, path) for kind, path in single if path),
        ]
