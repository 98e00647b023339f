"""Engines of a lake build, on a cluster of Spark with two workers."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from poolhouse.errors import PoolhouseError
from poolhouse.lake.engines import run_on_spark
from spark_servers import HALF, HERE, Cluster, cluster
from spark_tasks import end, mark, refuse, times

pytestmark = pytest.mark.spark

__all__ = ["cluster"]


def _most_at_a_time(results: list[str]) -> int:
    spans = [json.loads(each)[1:] for each in results]
    return max(len([1 for start, stop in spans if start <= moment < stop]) for moment, _ in spans)


def test_every_task_runs_once_and_two_run_at_a_time(cluster: Cluster) -> None:
    results = list(run_on_spark(cluster.connect, times, [b"1"] * 7))
    assert len(results) == 7
    assert _most_at_a_time(results) == 2


def test_a_broken_executor_is_one_line(cluster: Cluster) -> None:
    with pytest.raises(PoolhouseError) as raised:
        list(run_on_spark(cluster.connect, refuse, [b"x"]))
    assert str(raised.value) == f"{cluster.connect}: Spark gave up: ValueError: no such disk: x"


def test_a_process_that_ends_is_tried_again_and_then_one_line(cluster: Cluster) -> None:
    with pytest.raises(PoolhouseError, match="failed 4 times") as raised:
        list(run_on_spark(cluster.connect, end, [b"3"]))
    assert str(raised.value).endswith("most often for lack of memory")
    assert "\n" not in str(raised.value)


def test_a_closed_iterator_cancels_the_tasks(cluster: Cluster, tmp_path: Path) -> None:
    results = run_on_spark(cluster.connect, mark, [f"{tmp_path}/{n}".encode() for n in range(8)])
    next(results)
    results.close()  # type: ignore[attr-defined]
    n_started = len(list(tmp_path.iterdir()))
    assert n_started < 6
    assert len(list(run_on_spark(cluster.connect, times, [b"5"]))) == 1
    assert len(list(tmp_path.iterdir())) <= n_started + 1


# The whole of Spark is in another environment than the tests.
WITH_DRIVER = """\
import json, sys
from poolhouse.errors import PoolhouseError
from poolhouse.lake.engines import run_on_spark
from spark_tasks import refuse, times
print(json.dumps(list(run_on_spark(sys.argv[1], times, [b"1"] * 4))))
try:
    list(run_on_spark(sys.argv[1], refuse, [b"x"]))
except PoolhouseError as error:
    print(error)
"""


@pytest.mark.parametrize("master", ["local[2]", "spark"])
def test_a_driver_in_the_process(cluster: Cluster, tmp_path: Path, master: str) -> None:
    url = cluster.master if master == "spark" else master
    command = tmp_path / "command.py"
    command.write_text(WITH_DRIVER)
    environment = {
        # A session of Spark Connect in this process leaves variables that say so.
        **{name: value for name, value in os.environ.items() if not name.startswith("SPARK_")},
        "PYTHONPATH": str(HERE),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_SUBMIT_ARGS": " ".join((*HALF, "pyspark-shell")),
    }
    done = subprocess.run(
        [str(cluster.python), str(command), url],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    results, error = done.stdout.splitlines()
    assert _most_at_a_time(json.loads(results)) == 2
    assert error == f"{url}: Spark gave up: ValueError: no such disk: x"
