"""The CPU seconds of servers and of every process that they start, on Linux."""

import os
import threading
from contextlib import suppress
from pathlib import Path

_SECONDS_BETWEEN = 0.2
_TICKS = os.sysconf("SC_CLK_TCK")

# Fields of /proc/PID/stat after the name of the program.
_SESSION, _USER, _SYSTEM, _STARTED = 3, 11, 12, 19


class Watcher:
    """Follows the processes of some sessions. What a process did since the last look is lost.

    A server that begins a session keeps its processes in it, also after their parent has ended.
    """

    def __init__(self, sessions: list[int]) -> None:
        self._sessions = {str(each) for each in sessions}
        self._ticks: dict[tuple[str, str], int] = {}
        self._before = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Watcher":
        self._look()
        self._before = sum(self._ticks.values())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._look()

    @property
    def cpu_seconds(self) -> float:
        """The CPU seconds since the `with` block began."""
        return (sum(self._ticks.values()) - self._before) / _TICKS

    def _watch(self) -> None:
        while not self._is_over.wait(_SECONDS_BETWEEN):
            self._look()

    def _look(self) -> None:
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended in the meantime
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                if fields[_SESSION] in self._sessions:
                    ticks = int(fields[_USER]) + int(fields[_SYSTEM])
                    self._ticks[process.name, fields[_STARTED]] = ticks
