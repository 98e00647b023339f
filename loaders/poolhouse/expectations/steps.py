"""The steps of a check: each is named before it begins, and its time is limited."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.progress import Progress
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.limits import limited, time_limit


class Steps:
    """Counts the steps of a check. `seconds` is the longest time for one of them."""

    def __init__(self, progress: Progress, seconds: float) -> None:
        self._progress, self._seconds = progress, seconds
        self._done = self._total = 0

    def first(self, name: str, total: int) -> None:
        """Name what comes before the steps, and say how many there are."""
        self._progress(name, 0, 0)
        self._total = total

    def last(self, name: str) -> None:
        """Name what comes after the steps."""
        self._progress(name, self._total, self._total)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Begin a step. Raise PoolhouseError where it takes too long, or the engine refuses it."""
        self._progress(name, self._done, self._total)
        problem = (
            f"{name}: it took longer than {self._seconds:g} seconds; nothing was recorded; to wait "
            "longer: check --timeout"
        )
        try:
            with limited(time_limit(self._seconds, problem)):
                yield
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise PoolhouseError(f"{name}: {first_line(error)}") from error
        self._done += 1
