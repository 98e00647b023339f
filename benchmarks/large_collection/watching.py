"""The resident memory of this process and the bytes in a folder, by the step at work."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path

_SECONDS_BETWEEN = 0.05
_MEMORY = Path("/proc/self/status")
# Writing 5 here makes the peak of the process begin anew.
_REFERENCES = Path("/proc/self/clear_refs")


@dataclass
class Step:
    """What a step took. Its megabytes include what the engine still holds from earlier steps."""

    name: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_megabytes: float = 0.0
    spilled_megabytes: float = 0.0


class Watcher:
    """Follows the steps of a build on Linux; the last step ends with the `with` block."""

    def __init__(self, spilled: Path) -> None:
        self.steps: dict[str, Step] = {}
        self._spilled = spilled
        self._step = self._of("start")
        self._began = _now()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Watcher":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._end()

    def show(self, name: str, _done: int, _total: int) -> None:
        """Begin a step; the runner calls this before each one."""
        self._end()
        self._step = self._of(name.rpartition(": ")[2])

    def _of(self, name: str) -> Step:
        return self.steps.setdefault(name, Step(name))

    def _end(self) -> None:
        now = _now()
        self._step.seconds += now[0] - self._began[0]
        self._step.cpu_seconds += now[1] - self._began[1]
        self._step.peak_megabytes = max(self._step.peak_megabytes, _peak_megabytes())
        _REFERENCES.write_text("5")
        self._began = now

    def _watch(self) -> None:
        while not self._is_over.wait(_SECONDS_BETWEEN):
            step = self._step
            step.spilled_megabytes = max(step.spilled_megabytes, self._spilled_megabytes())

    def _spilled_megabytes(self) -> float:
        n_bytes = 0
        for file in self._spilled.rglob("*"):
            try:
                n_bytes += file.stat().st_size
            except FileNotFoundError:  # removed in the meantime
                continue
        return n_bytes / 1e6


def _now() -> tuple[float, float]:
    """Return the time, and the CPU time of all threads."""
    return time.perf_counter(), time.process_time()


def _peak_megabytes() -> float:
    """Return the largest resident memory since the last step began."""
    lines = dict(line.split(":", 1) for line in _MEMORY.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024 / 1e6
