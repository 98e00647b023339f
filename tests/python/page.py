"""Write a collection that fits on a page, so that every figure can be worked out by hand."""

from pathlib import Path

from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files

# Two runs of organization A and one of B are pooled to depth 2. Only A contributed d1 and d3, only
# the run a2 contributed d3, and only b1 contributed d4. The documents d5 and d6 are unjudged.
RUNS = {
    "a1": ["d1", "d2", "d5"],
    "a2": ["d1", "d3", "d6"],
    "b1": ["d4", "d2", "d1"],
}
QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n1 0 d4 1\n"
DESCRIPTIONS = "run,organization\na1,A\na2,A\nb1,B\n"


def write_collection(folder: Path) -> LoadRequest:
    runs = folder / "runs"
    runs.mkdir(parents=True)
    for run_id, documents in RUNS.items():
        lines = [
            f"1 Q0 {document} {rank} {9 - rank} {run_id}\n"
            for rank, document in enumerate(documents, start=1)
        ]
        (runs / run_id).write_text("".join(lines))
    (folder / "qrels.txt").write_text(QRELS)
    (folder / "runs.csv").write_text(DESCRIPTIONS)
    return LoadRequest(
        "page", run_files([runs]), folder / "qrels.txt", descriptions=folder / "runs.csv", depth=2
    )
