"""Servers on the loopback interface that speak Spark Connect, and fixtures of them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent

# In local mode Sail starts all tasks at once, in as many threads. Workers have slots.
TWO_SLOTS = {
    "SAIL_MODE": "local-cluster",
    "SAIL_CLUSTER__WORKER_INITIAL_COUNT": "1",
    "SAIL_CLUSTER__WORKER_MAX_COUNT": "1",
    "SAIL_CLUSTER__WORKER_TASK_SLOTS": "2",
}


@contextmanager
def serving_sail() -> Iterator[str]:
    """Run Sail with two slots, and yield its address; its tasks may import the tests' modules."""
    server = subprocess.Popen(
        [sys.executable, str(HERE / "sail_server.py")],
        env={**os.environ, **TWO_SLOTS, "PYTHONPATH": str(HERE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin
    assert server.stdout
    try:
        host, port = server.stdout.readline().split()
        yield f"sc://{host}:{port}"
    finally:
        server.stdin.close()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:  # a task that does not end
            server.kill()
            server.wait()
        server.stdout.close()


@pytest.fixture(scope="session")
def sail() -> Iterator[str]:
    """Return the address of a server of Sail that all tests of the process share."""
    pytest.importorskip("pysail", reason="the group `dev` is not installed: uv sync --group dev")
    with serving_sail() as url:
        yield url
