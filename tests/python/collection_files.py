"""Write the files of a collection that a test invents."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from reference import Collection


def write_files(collection: Collection, folder: Path) -> LoadRequest:
    """Write the files of a collection as an evaluation campaign would.

    It is loaded as not judged yet if it has no judgements.
    """
    runs = folder / "runs"
    runs.mkdir(parents=True)
    for run, lines in collection.runs.items():
        text = (f"{x.topic} Q0 {x.document} {x.rank} {x.score!r} {run}\n" for x in lines)
        (runs / run).write_text("".join(text))
    qrels, descriptions = folder / "qrels.txt", folder / "runs.csv"
    qrels.write_text(
        "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in collection.qrels)
    )
    words = {True: "yes", False: "no", None: ""}
    descriptions.write_text(
        "run,organization,type,pooled,depth\n"
        + "".join(
            f"{run},{each.organization},{each.run_type},{words[each.is_pooled]},"
            f"{each.pool_depth or ''}\n"
            for run, each in collection.descriptions.items()
        )
    )
    return LoadRequest(
        collection.name,
        run_files([runs]),
        qrels if collection.qrels else None,
        descriptions=descriptions,
        depth=collection.pool_depth,
        threshold=collection.threshold,
        pooling_order=collection.pooling_order,
        judged_from=collection.judged_from,
        unjudged=not collection.qrels,
        replace=True,
    )


def write_runs(folder: Path, runs: Mapping[str, Mapping[int, Iterable[str]]]) -> tuple[Path, ...]:
    """Write runs of documents by topic, the best first; return the run files of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for run, ranked in runs.items():
        lines = (
            f"{topic} Q0 {document} {rank} {-rank} {run}\n"
            for topic, documents in ranked.items()
            for rank, document in enumerate(documents, start=1)
        )
        (folder / run).write_text("".join(lines))
    return run_files([folder])


def write_qrels(file: Path, grades: Mapping[tuple[str, str], int]) -> Path:
    """Write the grades of topics and documents."""
    file.write_text("".join(f"{topic} 0 {doc} {grade}\n" for (topic, doc), grade in grades.items()))
    return file
