"""Describe the real TREC collections beside the checkout. Tests read them in place, uncopied."""

import gzip
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files, run_id_of

SHARED = Path(__file__).parents[2].parent / "shared"
EXPECTED = SHARED / "expected"


@dataclass(frozen=True)
class ArchiveCollection:
    """A collection of the archive, and the options with which it is loaded."""

    name: str
    descriptions: str = "runs.csv"
    pool_depth: int | None = None

    @property
    def folder(self) -> Path:
        """The folder of the collection's files."""
        return SHARED / "archive" / self.name

    def request(self) -> LoadRequest:
        """Return a request to load the collection."""
        return LoadRequest(
            self.name,
            run_files([self.folder / "runs"]),
            self.folder / "qrels.txt.gz",
            descriptions=self.folder / self.descriptions,
            depth=self.pool_depth,
            official_results=self.folder / "nist" / "results.md",
        )

    def qrels(self) -> dict[str, dict[str, int]]:
        """Read the qrels with plain Python, for trec_eval: topic -> document -> grade."""
        grades: dict[str, dict[str, int]] = {}
        with gzip.open(self.folder / "qrels.txt.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                topic, _, document, grade = line.split()
                grades.setdefault(topic, {})[document] = int(grade)
        return grades

    def runs(
        self, chosen: Container[str] | None = None
    ) -> Iterator[tuple[str, dict[str, dict[str, float]]]]:
        """Read runs with plain Python, for trec_eval: id, and topic -> document -> best score."""
        for file in sorted((self.folder / "runs").iterdir()):
            run_id = run_id_of(file.name)
            if chosen is None or run_id in chosen:
                with gzip.open(file, "rt", encoding="utf-8") as lines:
                    yield run_id, _best_scores(lines)


def _best_scores(lines: Iterator[str]) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for line in lines:
        try:
            topic, _, document, _, score = line.split()[:5]
            value = float(score)
        except ValueError:
            continue
        of_topic = scores.setdefault(topic, {})
        of_topic[document] = max(value, of_topic.get(document, value))
    return scores


TREC2 = ArchiveCollection("trec2-adhoc", descriptions="desc.xml")
TREC8 = ArchiveCollection("trec8-adhoc", pool_depth=100)
TREC_COVID = ArchiveCollection("trec-covid-round1")
DL_2021 = ArchiveCollection("trec-dl-2021-passages")
