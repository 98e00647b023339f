"""Progress of long work, which is told to whoever asked for the work."""

from collections.abc import Callable

# Called with the name of a step, the number of finished steps and of all; 0 is not known yet.
Progress = Callable[[str, int, int], None]


def no_progress(_step: str, _done: int, _total: int) -> None:
    """Tell nobody."""
