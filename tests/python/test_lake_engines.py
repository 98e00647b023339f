"""Engines of a lake build: in the process, and on Sail over Spark Connect."""

import json
import os
import socket
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from poolhouse.errors import PoolhouseError
from poolhouse.lake import spark_client
from poolhouse.lake.engines import Function, run_on_spark
from poolhouse.lake.spark_client import check_environment
from poolhouse.lake.spark_failures import TRACEBACK, in_one_line
from spark_servers import HERE, sail, serving_sail
from spark_tasks import end, mark, refuse, times, wait_for_others

__all__ = ["sail"]


@pytest.mark.heavy
def test_no_tasks_have_no_results(sail: str) -> None:
    assert list(run_on_spark(sail, times, [])) == []


@pytest.mark.heavy
def test_every_task_runs_once_and_two_run_at_a_time(sail: str) -> None:
    seconds = [1.8, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]  # more tasks than slots and cores
    arrived, spans = [], []
    for result in run_on_spark(sail, times, [str(each).encode() for each in seconds]):
        slept, start, stop = json.loads(result)
        arrived.append((slept, time.time()))
        spans.append((slept, start, stop))
    assert sorted(slept for slept, _, _ in spans) == sorted(seconds)
    together = [sum(start <= moment < stop for _, start, stop in spans) for _, moment, _ in spans]
    assert max(together) == 2
    # A result does not wait for the next task. The first to arrive is not the longest.
    assert arrived[0][0] == 0.5
    assert all(a <= b for (_, a), (_, b) in pairwise(arrived))
    assert arrived[0][1] < max(start for _, start, _ in spans)


@pytest.mark.heavy
def test_partitions_have_one_task_each(sail: str, tmp_path: Path) -> None:
    """Many tasks, far more than cores: none waits behind the first, which waits for all of them."""
    tasks = [f"{tmp_path}/{name}".encode() for name in ("last", *range(60))]
    *others, last = [result.split(" of ") for result in run_on_spark(sail, wait_for_others, tasks)]
    assert {name for name, _ in others} == {str(n) for n in range(60)}
    assert last == ["last", "61"]


@pytest.mark.heavy
def test_a_broken_executor_is_one_line(sail: str) -> None:
    with pytest.raises(PoolhouseError) as raised:
        list(run_on_spark(sail, refuse, [b"x"]))
    assert str(raised.value) == f"{sail}: Spark gave up: ValueError: no such disk: x"


@pytest.mark.heavy
def test_a_function_that_executors_cannot_import(
    sail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("def run(task):\n    return 'done'\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here  # type: ignore[import-not-found]  # noqa: PLC0415

    function: Function = only_here.run
    with pytest.raises(PoolhouseError, match=r"No module named 'only_here'$"):
        list(run_on_spark(sail, function, [b"x"]))


@pytest.mark.heavy
def test_a_closed_iterator_cancels_the_tasks(sail: str, tmp_path: Path) -> None:
    results = run_on_spark(sail, mark, [f"{tmp_path}/{n}".encode() for n in range(8)])
    next(results)
    results.close()  # type: ignore[attr-defined]
    n_started = len(list(tmp_path.iterdir()))
    assert n_started < 6
    time.sleep(4.5)
    assert len(list(tmp_path.iterdir())) <= n_started + 1


# The client of Spark refuses to work for `python -c`.
COMMAND = """\
import sys
from poolhouse.lake.engines import run_on_spark
from spark_tasks import mark
url, *paths = sys.argv[1:]
try:
    list(run_on_spark(url, mark, [path.encode() for path in paths]))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.heavy
def test_an_interrupted_command_cancels_the_tasks(sail: str, tmp_path: Path) -> None:
    command_file, marks = tmp_path / "command.py", tmp_path / "marks"
    command_file.write_text(COMMAND)
    marks.mkdir()
    paths = [str(marks / str(number)) for number in range(8)]
    with subprocess.Popen(
        [sys.executable, str(command_file), sail, *paths],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        while not list(marks.iterdir()):
            assert command.poll() is None
            time.sleep(0.05)
        interrupted = time.time()
        command.send_signal(2)
        assert command.communicate(timeout=30)[0] == "interrupted\n"
        assert time.time() - interrupted < 5
    time.sleep(4.5)
    assert len(list(marks.iterdir())) <= 3


@pytest.mark.heavy
def test_a_server_that_dies_during_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysail")
    monkeypatch.setattr(spark_client, "_RETRIES", 2)
    with serving_sail() as url, pytest.raises(PoolhouseError) as raised:
        list(run_on_spark(url, end, [b"3"]))
    assert str(raised.value).startswith(f"{url}: Spark gave up: failed to connect")
    assert "\n" not in str(raised.value)


def test_nobody_answers() -> None:
    pytest.importorskip("grpc_status")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(PoolhouseError) as raised:
        run_on_spark(f"sc://127.0.0.1:{port}", times, [b"0"])
    assert str(raised.value) == (
        f"sc://127.0.0.1:{port}: no server answers (Connection refused); start it, or correct "
        "--spark"
    )


@pytest.mark.parametrize(
    "url", ["", "localhost:15002", "http://host", "sc://", "sc://host:port", "local[2", "sc://h:0"]
)
def test_an_address_of_another_kind(url: str) -> None:
    with pytest.raises(PoolhouseError, match="not an address of Spark: write sc://HOST:PORT"):
        run_on_spark(url, times, [b"0"])


@pytest.mark.parametrize(
    ("url", "installed", "advice"),
    [
        ("sc://host", [], "pip install 'poolhouse[spark]'"),
        ("sc://host", ["pyspark"], "pip install 'pyspark[connect]'"),
        ("local[2]", [], "pip install pyspark"),
        ("spark://host", ["pyspark", "grpc_status"], "pip uninstall pyspark-client"),
    ],
)
def test_a_missing_client(
    url: str, installed: list[str], advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_client, "find_spec", lambda name: name in installed or None)
    with pytest.raises(PoolhouseError) as raised:
        run_on_spark(url, times, [b"0"])
    assert advice in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_packed_environment_is_a_file_and_for_executors(tmp_path: Path) -> None:
    packed = tmp_path / "environment.tar.gz"
    with pytest.raises(PoolhouseError, match="no such file"):
        check_environment("sc://host", packed)
    packed.touch()
    check_environment("sc://host", packed)
    with pytest.raises(PoolhouseError, match="leave out --environment"):
        check_environment("local[2]", packed)


def test_the_client_is_imported_when_it_is_needed() -> None:
    program = (
        "import sys, poolhouse.lake.engines\n"
        "print(sorted({'pyspark', 'pandas', 'grpc', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


JAVA = """\
An error occurred while calling o43.collect.
: org.apache.spark.SparkException: Job aborted due to stage failure: Lost task 0.3
\tat org.apache.spark.util.Utils$.awaitResult(Utils.scala:70)
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "worker.py", line 3602, in main
    process()
ModuleNotFoundError: No module named 'poolhouse'

\tat org.apache.spark.api.python.BasePythonRunner.run(PythonRunner.scala:100)
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            JAVA,
            "ModuleNotFoundError: No module named 'poolhouse'; "
            "install poolhouse in the Python of the executors, or send one with --environment",
        ),
        ("", "RuntimeError"),
        ("first\nsecond", "first"),
        ('<RPC that\n\tstatus = UNAVAILABLE\n\tdetails = "no route"\n>', "no route"),
        ("x" * 400, "x" * 300),
        (
            "task scheduling timeout",
            "task scheduling timeout; start Sail with SAIL_CLUSTER__TASK_LAUNCH_TIMEOUT_SECS=86400",
        ),
        (
            f"{TRACEBACK}\n  File\na.b.PySparkError: [PYTHON_VERSION_MISMATCH] 3.11, not 3.12.",
            "PySparkError: [PYTHON_VERSION_MISMATCH] 3.11, not 3.12; "
            "give the executors the Python version of this process",
        ),
    ],
)
def test_errors_in_one_line(text: str, line: str) -> None:
    assert in_one_line(RuntimeError(text)) == line
