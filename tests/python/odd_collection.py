"""Draw a collection that is odd where real ones are regular. Every draw gives the same one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from reference import Collection, Description, RunLine

NAME = "odd"
# By the first threshold, grade 1 is relevant; by the second, it is not.
THRESHOLDS = (1, 2)

# Every fourth document of a topic has no line in the qrels, and -1 means pooled but not judged.
_GRADES = (-1, 0, 0, 1, 0, 2, 3, 4, 1, 0)
_N_DOCUMENTS = 60
# The documents of a run for topics 1 to 5: how many, and the remainders of their numbers by 4.
# Topic 3 has no relevant document, topic 4 has only relevant ones, and topic 5 is only in the runs.
_RUNS: dict[str, list[tuple[int, tuple[int, ...]]]] = {
    "everything": [(60, (0, 1, 2, 3))] * 5,
    "short": [(3, (1, 2)), (1, (1,)), (2, (0, 1)), (7, (0, 1, 2, 3)), (2, (1,))],
    "gaps": [(40, (0, 1, 2)), (0, ()), (25, (0, 2, 3)), (0, ()), (0, ())],
    "unjudged": [(10, (3,)), (10, (3,)), (10, (3,)), (10, (3,)), (10, (3,))],
    "beyond": [(40, (0, 1, 2, 3))] * 5,
}
# The run "beyond" has scores at the edge of 32-bit floats and outside of them.
_BEYOND = (-1e308, -1e39, -3.4028234663852886e38, 0.0, 3.4028234663852886e38, 1e39, 1e308)


def qrels() -> dict[str, dict[str, int]]:
    """Draw the judgements: topic, document, grade."""
    draw = Random(8)  # noqa: S311 - nothing is secret
    grades: dict[str, dict[str, int]] = {}
    for topic in ("1", "2", "3", "4"):
        for number in range(_N_DOCUMENTS):
            grade = draw.choice(_GRADES)
            if topic == "3":
                grade = min(grade, 0)
            elif topic == "4":
                grade = max(grade, 1)
            if number % 4 != 3:
                grades.setdefault(topic, {})[_document(number)] = grade
    return grades


def runs() -> Iterator[tuple[str, dict[str, dict[str, float]]]]:
    """Draw the runs: id, and topic, document, score; many scores are tied."""
    for run_id, answers in _RUNS.items():
        draw = Random(run_id)  # noqa: S311
        scores: dict[str, dict[str, float]] = {}
        for topic, (n_documents, remainders) in enumerate(answers, start=1):
            candidates = [each for each in range(_N_DOCUMENTS) if each % 4 in remainders]
            for number in draw.sample(candidates, min(n_documents, len(candidates))):
                # Some scores are tied only as 32-bit floats.
                score = draw.randint(-3, 9) / 4 + draw.choice((0.0, 1e-9))
                if run_id == "beyond":
                    score = draw.choice(_BEYOND)
                scores.setdefault(str(topic), {})[_document(number)] = score
        yield run_id, scores


def collection(threshold: int) -> Collection:
    """Return the collection as the reference reads it, by its own name for each threshold."""
    return Collection(
        f"{NAME}-{threshold}",
        {
            run_id: [
                RunLine(topic, document, 0, score)
                for topic, documents in scores.items()
                for document, score in documents.items()
            ]
            for run_id, scores in runs()
        },
        [
            (topic, document, grade)
            for topic, documents in qrels().items()
            for document, grade in documents.items()
        ],
        {run_id: Description(run_id) for run_id in _RUNS},
        threshold=threshold,
    )


def write(folder: Path) -> LoadRequest:
    """Write the files of the collection, and return a request to load them."""
    (folder / "runs").mkdir(parents=True)
    for run_id, scores in runs():
        (folder / "runs" / run_id).write_text(
            "".join(
                f"{topic} Q0 {document} 0 {score} {run_id}\n"
                for topic, documents in scores.items()
                for document, score in documents.items()
            )
        )
    (folder / "qrels.txt").write_text(
        "".join(
            f"{topic} 0 {document} {grade}\n"
            for topic, documents in qrels().items()
            for document, grade in documents.items()
        )
    )
    return LoadRequest(NAME, run_files([folder / "runs"]), folder / "qrels.txt")


def _document(number: int) -> str:
    return f"D{number:02}"
