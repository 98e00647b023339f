"""Building a lake: tasks are run by an engine, and each finished collection is published at once.

A publication moves the files of a task to their places, and replaces the manifest. A file that is
replaced moves out of the way just before, so that a reader of a folder never sees both. Readers of
the old manifest find it there. A driver that is killed loses no finished task: the next build
publishes what waits, and removes what nobody finished.
"""

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from poolhouse.building.settings import plan_by_choice
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.lake.addresses import MANIFEST
from poolhouse.lake.collection import DONE, Result, Task, build_collection, build_on_executor
from poolhouse.lake.completeness import ends_of, missing_files
from poolhouse.lake.engines import run_on_spark
from poolhouse.lake.layout import (
    FOLDERS,
    INCOMING,
    SUPERSEDED,
    problem_of_name,
    version_of,
)
from poolhouse.lake.manifest import Entry, Keys, Manifest, Publication, read_manifest
from poolhouse.lake.place import Place
from poolhouse.lake.request import LakeRequest
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.spilling import spill_folder
from poolhouse.warehouse.whole import locked

_LOCK = ".lock"
# In an object store, which has no locks: the name of the build that has begun last.
_BUILDER = ".builder"
_SECONDS_BETWEEN = 1.0

_NOT_THERE = "the files of its task are not in the lake: do the executors have the same lake?"

# Keys are 32-bit integers. A run that is added later needs one too.
_SPARE_KEYS = 100


@dataclass
class LakeReport:
    """The result of a lake build: names of collections, and why collections failed."""

    built: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def build_lake(request: LakeRequest, progress: Progress = no_progress) -> LakeReport:
    """Build the changed collections, and publish each of them when it is complete.

    A collection that fails is named in the report and in the lake, and stops no other one. Raise
    PoolhouseError where the lake cannot be written, another build runs, or the engine fails.
    """
    broken = dict(request.broken)
    for each in request.collections:
        if problem := problem_of_name(each.collection):
            broken[each.collection] = problem
    place = Place(request.lake)
    with _only_builder(place):
        publisher = Publisher(place, request.settings)
        publisher.clear_up()
        tasks = [each for each in publisher.tasks(request) if each.request.collection not in broken]
        report, n_tasks = LakeReport(), len(tasks) + len(broken)

        def take(results: Iterable[Result]) -> None:
            for result in results:
                _note(report, result)
                n_done = len(report.built) + len(report.unchanged) + len(report.failed)
                progress(result.collection, n_done, n_tasks)

        progress("", 0, n_tasks)
        for name, why in broken.items():
            take(publisher.publish(Result(name, failure=why)))
        if request.spark is None:
            for task in tasks:
                take(publisher.publish(build_collection(task)))
        else:
            pickled = [pickle.dumps(each) for each in tasks]
            with _publishing_meanwhile(publisher, take):
                results = [
                    Result.from_json(text)
                    for text in run_on_spark(
                        request.spark, build_on_executor, pickled, request.environment
                    )
                ]
            for result in results:
                take(publisher.publish(result))
        publisher.end()
    return report


def remove_from_lake(lake: str, collections: Sequence[str]) -> None:
    """Remove collections from a lake, with their files. Raise the errors of build_lake."""
    place = Place(lake)
    known = read_manifest(place)[0].collections
    for name in collections:
        if name not in known:
            raise PoolhouseError(
                f"collection {name!r} is not in the lake {place.address} (known: "
                f"{', '.join(known) or 'none'}){did_you_mean(name, known)}"
            )
    with _only_builder(place):
        publisher = Publisher(place, None)
        publisher.clear_up()
        for name in collections:
            publisher.replace(name, None)
        place.remove(SUPERSEDED)
        publisher.end()


def _note(report: LakeReport, result: Result) -> None:
    name = result.collection
    if result.failure is not None:
        report.failed[name] = result.failure
    elif result.publication is None:
        report.unchanged.append(name)
    else:
        report.built.append(name)
        # A remark of a build begins with the name of its collection.
        for text in result.remarks:
            report.remarks.append(text if text.startswith(f"{name}: ") else f"{name}: {text}")


@contextmanager
def _only_builder(place: Place) -> Iterator[None]:
    """Refuse a second build at the same time. An object store has no locks."""
    if not place.is_local:
        yield
        return
    lock = Path(place.address) / _LOCK
    busy = PoolhouseError(f"{place.address}: another build of the lake is running; try again later")
    with ExitStack() as held:
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(lock, lambda _: busy))
        except OSError as error:
            raise PoolhouseError(f"{place.address}: cannot be written: {error.strerror}") from error
        yield


@contextmanager
def _publishing_meanwhile(
    publisher: "Publisher", take: Callable[[Iterable[Result]], None]
) -> Iterator[None]:
    """Publish finished collections in a thread, while an engine runs the others."""
    is_over = Event()
    problems: list[PoolhouseError] = []

    def publish() -> None:
        while not is_over.wait(_SECONDS_BETWEEN):
            try:
                take(publisher.publish_finished())
            except PoolhouseError as error:
                problems.append(error)
                return

    thread = Thread(target=publish, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    if problems:
        raise problems[0]


class Publisher:
    """Changes a lake. There is one publisher at a time."""

    def __init__(self, place: Place, settings: Mapping[str, Any] | None) -> None:
        self.place = place
        self.build = uuid4().hex
        self.manifest, self._text = read_manifest(place)
        self.settings = self.manifest.settings if settings is None else dict(settings)
        if not self._text:
            if any(not name.startswith(".") for name in place.names("")):
                raise PoolhouseError(
                    f"{place.address}: has other files and no {MANIFEST}: name an empty folder"
                )
            self._write_manifest()
        if not place.is_local:
            place.write(_BUILDER, self.build.encode())
        self._seen: set[str] = set()
        self._lock = Lock()

    def tasks(self, request: LakeRequest) -> list[Task]:
        """Return a task for each collection; the one with most bytes is first."""
        published = self.manifest.published()
        key = max((each.keys.collection for each in published.values()), default=0)
        run = max(
            (each.keys.first_run + each.keys.n_runs for each in published.values()), default=1
        )
        missing = missing_files(self.place, published)
        tasks = []
        for each in request.collections:
            known = published.get(each.collection)
            n_runs = len(each.run_ids)
            if known and n_runs <= known.keys.n_runs:
                keys = known.keys
            else:
                key += 1
                keys = Keys(key, run, n_runs + _SPARE_KEYS)
                run += keys.n_runs
            tasks.append(
                Task(
                    self.place.address,
                    self.build,
                    each,
                    keys,
                    self.settings,
                    _keeps_raw(request, known),
                    None if each.collection in missing else known,
                    memory_limit(),
                    spill_folder(),
                )
            )
        return sorted(tasks, key=_n_bytes, reverse=True)

    def publish_finished(self) -> list[Result]:
        """Publish the tasks of this build that have finished and are not published yet."""
        published = []
        for folder in self._finished(f"{INCOMING}/{self.build}"):
            result = Result.waiting(self.place, folder)
            if result:
                published += self.publish(result)
        return published

    def publish(self, result: Result) -> list[Result]:
        """Publish a result, and return it, unless its collection was published in this build."""
        with self._lock:
            if result.collection in self._seen:
                return []
            before = self.manifest.collections.get(result.collection, Entry())
            if result.publication and not result.is_complete(self.place):
                result = Result(result.collection, failure=_NOT_THERE)
            if result.publication:
                self._publish(result, result.publication)
            elif before.failure != result.failure:
                self.replace(result.collection, Entry(before.published, result.failure))
            self._seen.add(result.collection)
            return [result]

    def _publish(self, result: Result, publication: Publication) -> None:
        done = self._move_into_place(result)
        # The settings of the lake are those of collections that are there.
        self.manifest = Manifest(self.manifest.collections, self.settings)
        self.replace(result.collection, Entry(publication), done)

    def replace(
        self, collection: str, entry: Entry | None, done: Collection[str] = frozenset()
    ) -> None:
        """Replace the entry of a collection in the manifest, and move its old files away.

        Folders in `done` have none.
        """
        before = self.manifest.collections.get(collection, Entry()).published
        self._check_manifest()
        self.manifest = self.manifest.with_entry(collection, entry)
        self._write_manifest()
        now = entry.published if entry else None
        if before:
            ends = ends_of(collection, before) - (ends_of(collection, now) if now else set())
            for folder in set(self._folders()).difference(done):
                for end in ends:
                    self._move_away(f"{folder}/{end}")

    def _check_manifest(self) -> None:
        is_ours = self.place.is_local or self.place.read(_BUILDER) == self.build.encode()
        if not is_ours or (self.place.read(MANIFEST) or b"") != self._text:
            raise PoolhouseError(
                f"{self.place.address}: changed by another build in the meantime; try again"
            )

    def _write_manifest(self) -> None:
        self._text = self.manifest.to_json()
        self.place.write(MANIFEST, self._text)

    def _move_into_place(self, result: Result) -> set[str]:
        """Move the files of a task to their places, and the files that they replace away.

        Return the folders of their relations.
        """
        self._check_manifest()
        folders = set()
        before = self.manifest.collections.get(result.collection, Entry()).published
        old = ends_of(result.collection, before) if before else set()
        for number, path in enumerate(result.paths):
            top, relation, partition, _ = path.split("/")
            column, _, _ = partition.partition("=")
            folders.add(f"{top}/{relation}")
            for end in old:
                replaced = f"{top}/{relation}/{end}"
                if end.startswith(f"{column}=") and replaced != path:
                    self._move_away(replaced)
            self.place.move(f"{result.folder}/{number}.parquet", path)
        return folders

    def _move_away(self, path: str) -> None:
        self.place.move(path, f"{SUPERSEDED}/{path}")

    def end(self) -> None:
        """Remove what only a running build needs."""
        self.place.remove(f"{INCOMING}/{self.build}")
        if self.place.read(_BUILDER) == self.build.encode():
            self.place.remove(_BUILDER)

    def clear_up(self) -> None:
        """Publish what an earlier build finished; remove files that the manifest does not name."""
        for folder in self._finished(INCOMING):
            if f"/{self.build}/" not in folder:
                self._adopt(folder)
        published = self.manifest.published().items()
        current = {end for name, each in published for end in ends_of(name, each)}
        for path in self.place.paths(SUPERSEDED):
            place = path.removeprefix(f"{SUPERSEDED}/")
            if place.split("/", 2)[-1] in current:  # a publication that nobody can finish
                self.place.move(path, place)
        for folder in (INCOMING, SUPERSEDED):
            self.place.remove(folder)
        for top in FOLDERS:
            for path in self.place.paths(top):
                if path.split("/", 2)[-1] not in current:
                    self.place.remove(path)

    def _adopt(self, folder: str) -> None:
        """Publish a task of a build that was killed, if it is newer than what is published."""
        result = Result.waiting(self.place, folder)
        if result is None or not result.is_complete(self.place):
            return
        new = result.publication
        if new is None:
            return
        before = self.manifest.collections.get(result.collection, Entry()).published
        # A task that an engine ran twice has the same files again.
        is_newer = before is None or (
            before.built_at < new.built_at and before.fingerprint != new.fingerprint
        )
        is_of_these_models = new.models_version == version_of(plan_by_choice(self.settings))
        others = self.manifest.with_entry(result.collection, None).published().values()
        if is_newer and is_of_these_models and not any(new.keys.meet(each.keys) for each in others):
            self._publish(result, new)

    def _finished(self, folder: str) -> Iterator[str]:
        for path in self.place.paths(folder):
            if path.endswith(f"/{DONE}"):
                yield path.removesuffix(f"/{DONE}")

    def _folders(self) -> list[str]:
        return [f"{top}/{name}" for top in FOLDERS for name in self.place.names(top)]


def _keeps_raw(request: LakeRequest, known: Publication | None) -> bool:
    if request.keeps_raw is None:
        return known is not None and known.has_raw
    return request.keeps_raw


def _n_bytes(task: Task) -> int:
    return sum(path.stat().st_size for path in task.request.paths if path.exists())
