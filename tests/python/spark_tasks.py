"""Functions for the executors of Spark, which import this module."""

import json
import os
import time
from pathlib import Path

from poolhouse.lake.engines import Task


def times(task: Task) -> str:
    """Sleep for the seconds of the task; return them, the start and the end."""
    start = time.time()
    time.sleep(float(task))
    return json.dumps([float(task), start, time.time()])


def mark(task: Task) -> str:
    """Create the file that the task names, and sleep for two seconds."""
    Path(task.decode()).touch()
    time.sleep(2)
    return task.decode()


def wait_for_others(task: Task) -> str:
    """Create the file that the task names; "last" returns after 60 others in its folder."""
    path = Path(task.decode())
    path.touch()
    until = time.time() + 90
    while path.name == "last" and len(list(path.parent.iterdir())) < 61 and time.time() < until:
        time.sleep(0.05)
    return f"{path.name} of {len(list(path.parent.iterdir()))}"


def refuse(task: Task) -> str:
    """Raise an error with a message of several lines."""
    raise ValueError(f"no such disk: {task.decode()}\nsecond line")


def end(task: Task) -> str:
    """End the process that runs the task."""
    os._exit(int(task))
