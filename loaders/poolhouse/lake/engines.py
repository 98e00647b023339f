"""Tasks of a lake build on the executors of Spark or Sail.

A function and its tasks know nothing of the engine. A failed task is a result, so an exception is
a broken engine. Only a name that the executor can import is sent to it, with all tasks.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poolhouse.errors import PoolhouseError
from poolhouse.lake.spark_client import check_environment, check_server, open_session
from poolhouse.lake.spark_failures import in_one_line

if TYPE_CHECKING:
    import pyarrow as pa

# A pickled description of the work on one collection.
Task = bytes
# A function of a module, which the executors can import. It returns the result of a task.
Function = Callable[[Task], str]


def run_on_spark(
    url: str, function: Function, tasks: Sequence[Task], environment: Path | None = None
) -> Iterator[str]:
    """Run each task on an executor of Spark or Sail, and yield the results in any order.

    `environment` is a packed environment of Python, which the executors use instead of their own.

    `sc://` yields a result when its task has ended. The other addresses yield all at the end.
    Cancel the tasks if the caller is interrupted or closes the iterator.

    Raise PoolhouseError at once if the client is missing, the address is wrong or nobody answers
    there, and later if the engine gives a task up.
    """
    check_server(url)
    check_environment(url, environment)
    return _run(url, function, tasks, environment)


def _run(
    url: str, function: Function, tasks: Sequence[Task], environment: Path | None
) -> Iterator[str]:
    if not tasks:
        return
    try:
        session = open_session(url, environment)
    except Exception as error:
        raise PoolhouseError(f"{url}: no session of Spark: {in_one_line(error)}") from error
    is_done = False
    try:
        for row in session.rows(_results(session.spark, function, list(tasks))):
            yield row[0]
        is_done = True
    except Exception as error:
        raise PoolhouseError(f"{url}: Spark gave up: {in_one_line(error)}") from error
    finally:
        session.close(cancel=not is_done)


def _results(spark: Any, function: Function, tasks: list[Task]) -> Any:  # noqa: ANN401
    """Return a frame of results with one task a partition.

    A range is the only source that promises its partitions: n numbers in n partitions are one
    number each, in Spark and in Sail. Rows of a local frame are dealt out by the engine's own
    parallelism. So a partition has the number of its task, and the tasks go with the function.
    """

    def results(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa  # noqa: PLC0415 - on the executor

        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield pa.RecordBatch.from_pydict({"result": [function(tasks[number])]})

    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(results, "result string")
