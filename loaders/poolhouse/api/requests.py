"""Requests as callers in Python write them: runs, judgements and names in any form."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from poolhouse.api.given import JudgementsLike, RunLike, given_judgements, given_run
from poolhouse.api.warnings import warn
from poolhouse.comparing.requests import GateRequest, TableRequest
from poolhouse.loading.inputs import Source
from poolhouse.loading.parsers import SourceFile
from poolhouse.loading.request import LoadRequest, as_source, listed
from poolhouse.loading.trec_text import qrels_text, run_text
from poolhouse.request_fields import FileLike
from poolhouse.scoring.asked_runs import NewRun

NamedRun = RunLike | tuple[str, RunLike]


def names(given: object) -> tuple[str, ...]:
    """Return one name or several; an object of ir_measures is its text, and None is none."""
    if given is None:
        return ()
    if isinstance(given, Iterable) and not isinstance(given, str):
        return tuple(map(str, given))
    return (str(given),)


def _texts(given: str | Sequence[str] | None) -> tuple[str, ...]:
    return names(given)


def _run(run: NamedRun | NewRun) -> Any:  # noqa: ANN401 - read when the warehouse is open
    return run


def _runs(runs: RunLike | Sequence[NamedRun | NewRun]) -> Any:  # noqa: ANN401 - as above
    return runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]


def _runs_to_load(
    runs: FileLike | Iterable[FileLike | SourceFile] | Mapping[str, RunLike],
) -> tuple[Source, ...]:
    """Return run files, or the texts of runs in memory."""
    if isinstance(runs, Mapping):
        made = []
        for run_id, run in runs.items():
            given = given_run(run)
            warn(given.remarks)
            made.append(run_text(run_id, given.rows, given.origin))
        return tuple(made)
    return listed([runs] if isinstance(runs, str | os.PathLike) else runs)


def _judgements_to_load(judgements: JudgementsLike | SourceFile | None) -> Source | None:
    if judgements is None or isinstance(judgements, str | os.PathLike | SourceFile):
        return as_source(judgements)
    given = given_judgements(judgements)
    return qrels_text(given.rows, given.origin)


@frozen
class GivenLoad(LoadRequest):
    """A load whose runs and judgements may also be data frames or dicts."""

    runs: tuple[Source, ...] = field(default=(), converter=_runs_to_load)
    qrels: Source | None = field(default=None, converter=_judgements_to_load)
    is_quotable: bool = field(default=True, init=False)
    are_after_pool: bool = field(default=False, init=False)


@frozen
class GivenGate(GateRequest):
    """A gate whose runs are loaded, in files or in memory."""

    run: str | NewRun = field(converter=_run)
    baseline: str | NewRun = field(converter=_run)
    measures: Sequence[str] = field(converter=names, kw_only=True)


@frozen
class GivenTable(TableRequest):
    """A table whose runs are loaded, in files or in memory."""

    runs: Sequence[str | NewRun] = field(converter=_runs)
    collections: Sequence[str] = field(converter=_texts)
    measures: Sequence[str] = field(converter=names)
    baseline: Sequence[str] = field(default=(), converter=_texts, kw_only=True)
