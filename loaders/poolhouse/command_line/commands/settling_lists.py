"""Lists of the documents that would settle which of two runs is better."""

from pathlib import Path
from typing import TYPE_CHECKING

from poolhouse.command_line.options import say_next

if TYPE_CHECKING:
    from poolhouse.pooling.settling import SettlingRequest
    from poolhouse.warehouse.file import Warehouse

# Documents of a list, where nobody says how many: an hour or two of an assessor.
USUAL_BUDGET = 50


def write_settling_list(warehouse: "Warehouse", request: "SettlingRequest", file: Path) -> None:
    """Write a list of `pool make`, which must not exist, and say what it is."""
    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.pooling.assessing import refuse_existing
    from poolhouse.pooling.settling import settling_list
    from poolhouse.warehouse.whole import publish, refuse_place_of_warehouse

    refuse_place_of_warehouse(file, warehouse.path, "list")
    refuse_existing(file)
    settling = settling_list(warehouse, request)
    documents = settling.listed.documents
    if documents.is_empty():
        console.remark(
            "nothing can be settled, and no list is written: judging another document of the runs "
            f"would not change their difference by {settling.measure}, or nothing is known of it"
        )
        return
    publish(file, settling.listed.lines())
    n_topics = documents["topic_id"].n_unique()
    console.remark(
        f"{file}: {counted(documents.height, 'document')} of {counted(n_topics, 'topic')} to judge "
        f"of {settling.n_unjudged} that count by {settling.measure}; they are expected to take "
        f"{settling.share:.0%} of the doubt that unjudged documents leave"
    )
    if settling.n_unknown:
        console.remark(
            f"note: {counted(settling.n_unknown, 'document')} of the list are of no loaded run: "
            "load the run before the answers",
            "yellow",
        )
    console.remark("add the grade to the end of each line, such as 1 for relevant")
    say_next("pool", "load", request.collection, str(file))
