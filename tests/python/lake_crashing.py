"""Build lakes in processes that are killed, and read them meanwhile.

As a program, it builds the lake of a pickled request.
"""

import os
import pickle
import sys
from collections.abc import Mapping
from hashlib import sha256
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import NamedTuple

import polars as pl

from poolhouse.lake import spark_client
from poolhouse.lake.addresses import MANIFEST
from poolhouse.lake.layout import FOLDERS, INCOMING
from poolhouse.lake.manifest import read_manifest
from poolhouse.lake.place import Place
from poolhouse.lake.publishing import build_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.lake.request import LakeRequest
from poolhouse.warehouse.file import Warehouse
from rounding import with_rounded_floats

# Times and durations differ from one build to the next.
_NOT_COMPARED = ("loaded_at", "seconds", "built_at", "finished_at")

# The number of rows of some marts, by the mart; and by the collection.
Counts = tuple[int, ...]
State = dict[str, str]


def build_the_lake(_: Warehouse, given: tuple[LakeRequest, Path]) -> None:
    """Build in a child, whose scratch folders go to the given folder."""
    request, spill = given
    os.environ["POOLHOUSE_SPILL"] = str(spill)
    build_lake(request)


def state_of_lake(lake: Path) -> State:
    """Return a hash of the rows of each file of a mart, by mart and collection."""
    found = {}
    for file in sorted(lake.glob("marts/*/*/*.parquet")):
        rows = pl.read_parquet(file, hive_partitioning=False)
        rows = with_rounded_floats(rows.drop(_NOT_COMPARED, strict=False))
        text = rows.select(pl.all().cast(pl.String, strict=False)).write_json()
        found[str(file.parent.relative_to(lake))] = sha256(text.encode()).hexdigest()
    return found


def assert_nothing_is_left(lake: Path, spill: Path) -> None:
    """Check that each partition has the one file that the manifest names, and scratch is gone."""
    manifest, _ = read_manifest(Place(str(lake)))
    names = {each.name for each in manifest.published().values()}
    for top in FOLDERS:
        for partition in lake.glob(f"{top}/*/*"):
            [file] = partition.iterdir()
            assert file.stem in names, file
    # Files that the last build replaced stay until the next one, for readers.
    kept = {*FOLDERS, "lake.json", ".lock", ".superseded"}
    assert {entry.name for entry in lake.iterdir()} <= kept
    assert not (lake / INCOMING).exists()
    assert list(spill.iterdir()) == []


# ----------------------------------------------------------------------------------------- readers


class Seen(NamedTuple):
    """What a reader saw: reads, reads of folders, states of collections, errors, torn states.

    A read is overtaken if builds that ended meanwhile have removed the files of its manifest.
    """

    n_reads: int
    n_of_folders: int
    n_overtaken: int
    states: set[Counts]
    errors: list[str]
    torn: list[str]


def read_lake_until(
    stop: Event, pipe: Connection, lake: Path, marts: tuple[str, ...], whole: Mapping[Counts, str]
) -> None:
    """Read the lake and its folders until the event is set.

    Every collection must have the rows of a whole build, in all marts of one. A folder has no
    manifest, so that a reader of it sees a whole file of each mart, or none.
    """
    n_reads, n_of_folders, n_overtaken = 0, 0, 0
    manifest = lake / MANIFEST
    states: set[Counts] = set()
    errors: list[str] = []
    torn: list[str] = []
    # Most of a read's time goes into the first query after a change.
    counts = " union all ".join(
        f"select collection_id, {number} as mart, count(*) as n from {mart} group by all"
        for number, mart in enumerate(marts)
    )
    query = f"""
        select collection_id, list(n order by mart) from ({counts}) group by all
    """
    while not stop.wait(0.02):  # the builder needs a core too
        for number, mart in enumerate(marts):
            for partition in lake.glob(f"marts/{mart.rpartition('.')[2]}/*"):
                n_of_folders += 1
                torn += _torn_folder(partition, {each[number] for each in whole})
        n_reads += 1
        before = manifest.read_bytes()
        try:
            with LakeWarehouse.at(str(lake)).read() as connection:
                first, second = (connection.execute(query).fetchall() for _ in range(2))
        except Exception as error:  # every error is counted
            if "FileNotFoundError" in str(error) and manifest.read_bytes() != before:
                n_overtaken += 1
            else:
                errors.append(repr(error))
            continue
        if sorted(first) != sorted(second):
            torn.append(f"{first} {second}")
        for collection, found in first:
            states.add(tuple(found))
            if tuple(found) not in whole:
                torn.append(f"{collection}: {found}")
    pipe.send(Seen(n_reads, n_of_folders, n_overtaken, states, errors, torn))


def _torn_folder(partition: Path, whole: set[int]) -> list[str]:
    files = list(partition.glob("*.parquet"))
    if len(files) > 1:
        return [f"{partition}: {len(files)} files"]
    for file in files:
        try:
            n_rows = (
                pl.scan_parquet(file, hive_partitioning=False).select(pl.len()).collect().item()
            )
        except FileNotFoundError:  # moved away in the meantime
            continue
        if n_rows not in whole:
            return [f"{partition}: {n_rows} rows"]
    return []


if __name__ == "__main__":
    spark_client._RETRIES = 2  # a dead server stays dead
    build_lake(pickle.loads(Path(sys.argv[1]).read_bytes()))  # noqa: S301 - a test wrote it
