"""Servers on the loopback interface that run the tasks of a lake build."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_HOST = "127.0.0.1"
_PATIENCE = 90.0
_DEPLOY = "org.apache.spark.deploy"


@dataclass(frozen=True)
class Server:
    """The address of an engine, and the sessions of its processes; none if another one began it."""

    url: str
    sessions: list[int]


@contextmanager
def serving_sail(slots: int) -> Iterator[Server]:
    """Run Sail with some task slots, all in one process."""
    environment = {
        **os.environ,
        "SAIL_MODE": "local-cluster",
        "SAIL_CLUSTER__WORKER_INITIAL_COUNT": "1",
        "SAIL_CLUSTER__WORKER_MAX_COUNT": "1",
        "SAIL_CLUSTER__WORKER_TASK_SLOTS": str(slots),
        "SAIL_CLUSTER__TASK_LAUNCH_TIMEOUT_SECS": "86400",  # how long a task may wait for a slot
    }
    process = subprocess.Popen(
        [sys.executable, str(_ROOT / "tests" / "python" / "sail_server.py")],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    with _ended(process):
        assert process.stdout  # noqa: S101 - a pipe
        host, port = process.stdout.readline().split()
        yield Server(f"sc://{host}:{port}", [process.pid])


@contextmanager
def serving_spark(home: Path, workers: int, folder: Path) -> Iterator[Server]:
    """Run a standalone master of Spark, workers of one core, and a server of Spark Connect."""
    program = str(home / "bin" / "spark-class")
    master_port, port = _free_port(), _free_port()
    master = f"spark://{_HOST}:{master_port}"
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": _HOST,
        "PYSPARK_PYTHON": sys.executable,
    }
    [connect] = home.glob("jars/spark-connect_*.jar")
    processes: list[subprocess.Popen[bytes]] = []

    def start(*command: str) -> subprocess.Popen[bytes]:
        with (folder / f"spark-{len(processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        processes.append(process)
        return process

    with ExitStack() as stack:
        ports = ("--host", _HOST, "--port", str(master_port), "--webui-port", "0")
        stack.enter_context(_ended(start(program, f"{_DEPLOY}.master.Master", *ports)))
        _wait_for(master_port)
        for number in range(workers):
            options = ("--host", _HOST, "--webui-port", "0", "--cores", "1", "--memory", "1g")
            place = ("--work-dir", str(folder / f"work-{number}"))
            worker = start(program, f"{_DEPLOY}.worker.Worker", *options, *place, master)
            stack.enter_context(_ended(worker))
        settings = {
            "spark.connect.grpc.binding.address": _HOST,
            "spark.connect.grpc.binding.port": port,
            "spark.ui.enabled": "false",
            "spark.executor.memory": "512m",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.cores.max": workers,
        }
        submit = start(
            str(home / "bin" / "spark-submit"),
            *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
            *("--master", master),
            *(part for name, value in settings.items() for part in ("--conf", f"{name}={value}")),
            str(connect),
        )
        stack.enter_context(_ended(submit))
        _wait_for(port)
        yield Server(f"sc://{_HOST}:{port}", [each.pid for each in processes])


@contextmanager
def _ended(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> Iterator[None]:
    """End the session of a process at the end: the server and what it started."""
    try:
        yield
    finally:
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as server:
        return int(server.getsockname()[1])


def _wait_for(port: int) -> None:
    """Wait until a server answers; exit where it does not."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        with suppress(OSError):
            socket.create_connection((_HOST, port), 1).close()
            return
        time.sleep(0.2)
    sys.exit(f"no server answers at {_HOST}:{port}")
