"""Run a server in a process of its own, which ends with its standard input."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


def started(script: str, **environment: str) -> subprocess.Popen[str]:
    """Run a script of this folder, which announces its address in its first line."""
    return subprocess.Popen(
        [sys.executable, str(HERE / script)],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@contextmanager
def serving(script: str, **environment: str) -> Iterator[str]:
    """Run a script of this folder, and yield the line with which it announces its address."""
    server = started(script, **environment)
    assert server.stdin
    assert server.stdout
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:  # a task that does not end
            server.kill()
            server.wait()
        server.stdout.close()
