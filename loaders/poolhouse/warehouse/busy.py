"""Waiting for another process that changes the warehouse."""

from collections.abc import Callable
from time import monotonic, sleep

from poolhouse.errors import WarehouseBusyError

_BETWEEN = 0.5  # seconds between two tries


def when_free(change: Callable[[], None], patience: float) -> None:
    """Make a change as soon as no other process makes one.

    Raise WarehouseBusyError where another change still runs after `patience` seconds.
    """
    give_up_at = monotonic() + patience
    while True:
        try:
            return change()
        except WarehouseBusyError:
            if monotonic() >= give_up_at:
                raise
            sleep(_BETWEEN)
