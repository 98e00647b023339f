"""Servers on the loopback interface that speak Spark Connect, and fixtures of them."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from serving import serving

HERE = Path(__file__).parent

# In local mode Sail starts all tasks at once, in as many threads. Workers have slots.
TWO_SLOTS = {
    "SAIL_MODE": "local-cluster",
    "SAIL_CLUSTER__WORKER_INITIAL_COUNT": "1",
    "SAIL_CLUSTER__WORKER_MAX_COUNT": "1",
    "SAIL_CLUSTER__WORKER_TASK_SLOTS": "2",
    "SAIL_CLUSTER__TASK_LAUNCH_TIMEOUT_SECS": "86400",  # how long a task may wait for a slot
}


@contextmanager
def serving_sail() -> Iterator[str]:
    """Run Sail with two slots, and yield its address; its tasks may import the tests' modules."""
    with serving("sail_server.py", **TWO_SLOTS, PYTHONPATH=str(HERE)) as address:
        yield "sc://" + ":".join(address.split())


@pytest.fixture(scope="session")
def sail() -> Iterator[str]:
    """Return the address of a server of Sail that all tests of the process share."""
    pytest.importorskip("pysail", reason="the group `dev` is not installed: uv sync --group dev")
    with serving_sail() as url:
        yield url


TIMEOUT = shutil.which("timeout")

# Half of each worker, so that a driver in another process finds a place beside the server.
HALF = ("--conf", "spark.cores.max=2", "--conf", "spark.executor.cores=1")


@dataclass(frozen=True)
class Cluster:
    """A standalone cluster of Spark with two workers, and its environment of Python.

    The server of Spark Connect has a core of each worker.
    """

    master: str
    connect: str
    python: Path


@pytest.fixture(scope="session")
def cluster(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """Run a cluster of Spark; its tasks may import the project and the tests' modules."""
    if shutil.which("java") is None or TIMEOUT is None:
        pytest.skip("Spark needs Java, and the servers need timeout of the GNU core utilities")
    python = _with_all_of_spark(pytestconfig.cache.mkdir("spark"))
    home = next(python.parents[1].glob("lib/python*/site-packages/pyspark"))
    logs = tmp_path_factory.mktemp("spark")
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": str(python),
        "PYTHONPATH": str(HERE),
    }
    with ExitStack() as running:

        def start(name: str, ready: str, *command: str) -> str:
            log = logs / name
            # The servers end after this time, whatever becomes of the tests.
            server = subprocess.Popen(
                [TIMEOUT, "1800", str(home / "bin" / command[0]), *command[1:]],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log.open("w"),
                stderr=subprocess.STDOUT,
            )
            running.callback(server.wait)
            running.callback(server.terminate)
            return _announced(server, log, ready)

        master = start(
            "master",
            r"Starting Spark master at (spark://\S+)",
            *("spark-class", "org.apache.spark.deploy.master.Master"),
            *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
        )
        for worker in ("worker1", "worker2"):
            start(
                worker,
                r"(Successfully registered with master)",
                *("spark-class", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1"),
                *("--webui-port", "0", "--cores", "2", "--memory", "2g"),
                *("--work-dir", str(logs / f"{worker}-files"), master),
            )
        connect = start(
            "connect",
            r"Spark Connect server started at: (\S+)",
            *("spark-submit", "--master", master, *HALF, "--conf", "spark.ui.enabled=false"),
            *("--conf", "spark.connect.grpc.binding.address=127.0.0.1"),
            *("--conf", "spark.connect.grpc.binding.port=0"),
            *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
            str(next(home.glob("jars/spark-connect_*.jar"))),
        )
        yield Cluster(master, f"sc://{connect}", python)


def _with_all_of_spark(folder: Path) -> Path:
    """Make an environment with Spark and the project once, and return its Python."""
    python = folder / "environment" / "bin" / "python"
    if not python.exists():
        spark = f"pyspark[connect]=={version('pyspark-client')}"
        made = folder / "environment"
        for command in (
            ["venv", "--quiet", "--python", sys.executable, str(made)],
            ["pip", "install", "--quiet", "--python", str(python), spark, "-e", ".[pandas]"],
        ):
            done = subprocess.run(
                ["uv", *command],  # noqa: S607
                cwd=HERE.parents[1],  # whose pins hold
                check=False,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                shutil.rmtree(made, ignore_errors=True)
                pytest.skip(f"Spark cannot be installed: {done.stderr.strip()[-200:]}")
    return python


def _announced(server: subprocess.Popen[bytes], log: Path, ready: str) -> str:
    """Wait for a line of a log, and return what it announces."""
    for _ in range(600):
        if found := re.search(ready, log.read_text()):
            return found[1]
        assert server.poll() is None, log.read_text()[-2000:]
        time.sleep(0.2)
    raise AssertionError(f"{log.name}: not ready: {log.read_text()[-2000:]}")
