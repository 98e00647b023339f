"""Keeping: an adjusted run is also loaded, as a run that was added after the pool was judged."""

from dataclasses import dataclass
from pathlib import Path

from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

# The declaration of the run in the loaded descriptions, and the number of declared runs.
_DECLARED = """
    select
        bool_or(descriptions.is_pooled) filter (where runs.run_id = $run_id),
        count(descriptions.is_pooled) filter (where runs.run_id <> $run_id)
    from raw.collections as collections
    inner join raw.runs as runs using (collection_key)
    inner join raw.descriptions as descriptions using (collection_key, run_id)
    where collections.collection_id = $collection
"""


@dataclass(frozen=True)
class Kept:
    """Whether the run was new, and its state after the next build, in words."""

    is_new: bool
    remarks: tuple[str, ...]


def keep_run(
    warehouse: Warehouse, collection: str, run_id: str, file: Path, common_topics: Path | None
) -> Kept:
    """Load the run of a file, and the judgements that were made for it.

    A loaded description overrides the fact that the run was added later. Raise the errors of
    load_collection.
    """
    report = load_collection(
        warehouse,
        LoadRequest(
            collection,
            (file,),
            are_after_pool=True,
            common_topics=((run_id, common_topics),) if common_topics else (),
        ),
    )
    if not report.changed:
        return Kept(is_new=False, remarks=(f"{run_id} is already kept",))
    with warehouse.read() as connection:
        [(is_declared_pooled, n_others_declared)] = connection.execute(
            _DECLARED, {"collection": collection, "run_id": run_id}
        ).fetchall()
    remarks = [f"kept {run_id} as a run of {collection} that was not pooled"]
    if is_declared_pooled:
        remarks = [
            f"kept {run_id} as a run of {collection} that counts as pooled after the build, since "
            "the loaded descriptions say that it was; if it was not, load descriptions that leave "
            "`pooled` empty for it"
        ]
    if report.replaced_runs:
        remarks.append("it replaced a loaded run of the same name")
    if is_declared_pooled and not n_others_declared:
        remarks.append(
            "it is the only run of which the descriptions say whether it was pooled, so that no "
            "other counts as pooled after the build; descriptions that leave `pooled` empty for "
            "it change that"
        )
    return Kept(is_new=True, remarks=tuple(remarks))
