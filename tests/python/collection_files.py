"""Write the files of a collection that a test invents."""

from pathlib import Path

from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from reference import Collection


def write_files(collection: Collection, folder: Path) -> LoadRequest:
    """Write the files of a collection as an evaluation campaign would."""
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
        qrels,
        descriptions=descriptions,
        depth=collection.pool_depth,
        threshold=collection.threshold,
        pooling_order=collection.pooling_order,
        judged_from=collection.judged_from,
        replace=True,
    )
