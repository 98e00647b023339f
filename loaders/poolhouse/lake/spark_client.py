"""Sessions of Spark: over Spark Connect, which Sail speaks too, or with a driver in this process.

The client is an extra, and nothing of it is imported before a session is opened.
"""

import os
import socket
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from poolhouse.errors import PoolhouseError

_ADDRESSES = "sc://HOST:PORT, spark://HOST:PORT or local[N]"
_SECONDS_TO_ANSWER = 5.0
_DEFAULT_PORTS = {"sc": 15002, "spark": 7077}

# The client's own policy asks a server that has gone for ten minutes; this one for half a minute.
_RETRIES = 6
_LONGEST_WAIT = 15_000  # ms

# An interrupted command has hardly more time to clear up (poolhouse.warehouse.interrupting).
_SECONDS_TO_END = 1.0


# The folder in which executors unpack an environment, below the folder of a task.
_UNPACKED = "environment"
_PYTHON_UNPACKED = f"./{_UNPACKED}/bin/python"


@dataclass(frozen=True)
class Session:
    """An open session that runs the tasks of one build."""

    spark: Any
    is_connect: bool

    def rows(self, frame: Any) -> Iterator[Any]:  # noqa: ANN401
        """Run a frame and yield its rows.

        A local iterator of Connect runs all partitions together. The one of a driver in this
        process runs a partition when its rows are asked for, one after the other.
        """
        yield from frame.toLocalIterator() if self.is_connect else frame.collect()

    def close(self, *, cancel: bool) -> None:
        """End the session; with `cancel`, end its running tasks first.

        Sail answers when the running tasks have ended, and starts no other. Nobody waits for that.
        """
        ending = threading.Thread(target=self._end, args=(cancel,), daemon=True)
        ending.start()
        ending.join(_SECONDS_TO_END if cancel else None)

    def _end(self, cancel: bool) -> None:
        with suppress(Exception):  # a server that has gone
            if cancel and self.is_connect:
                self.spark.interruptAll()
            elif cancel:
                self.spark.sparkContext.cancelAllJobs()
        with suppress(Exception):
            self.spark.stop()


def check_server(url: str) -> None:
    """Raise PoolhouseError if the client is missing, the address is wrong or nobody answers."""
    kind = _kind(url)
    _check_client(kind)
    if kind == "local":
        return
    parts = urlsplit(url)
    port = parts.port or _DEFAULT_PORTS[kind]
    try:
        socket.create_connection((parts.hostname or "", port), _SECONDS_TO_ANSWER).close()
    except OSError as error:
        raise PoolhouseError(
            f"{url}: no server answers ({error.strerror or error}); start it, or correct --spark"
        ) from error


def check_environment(url: str, environment: Path | None) -> None:
    """Raise PoolhouseError if the packed environment is no file, or nobody would unpack it."""
    if environment and not environment.is_file():
        raise PoolhouseError(f"{environment}: no such file; venv-pack writes one")
    if environment and _kind(url) == "local":
        raise PoolhouseError(
            f"{url}: the tasks run in the Python of this process: leave out --environment"
        )


def open_session(url: str, environment: Path | None = None) -> Session:
    """Open a session of its own; raise the errors of the client.

    Executors unpack the packed environment, and run its Python.
    """
    # The client frowns at version 3 of pandas, which no task uses, and at a server that has gone.
    warnings.filterwarnings("ignore", module=r"pyspark\.")
    open_it = _over_connect if _kind(url) == "sc" else _with_driver_here
    with _main_file():
        return open_it(url, environment)


@contextmanager
def _main_file() -> Iterator[None]:
    """Give the main module a file: the client takes `python -c` for doctests, and ends it."""
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = __file__
    try:
        yield
    finally:
        del main.__file__


def _over_connect(url: str, environment: Path | None) -> Session:
    from pyspark.sql import SparkSession  # noqa: PLC0415
    from pyspark.sql.connect.client.retries import DefaultPolicy  # noqa: PLC0415

    spark = SparkSession.builder.remote(url).create()
    spark.client.set_retry_policies(
        [DefaultPolicy(max_retries=_RETRIES, max_backoff=_LONGEST_WAIT)]
    )
    if environment:
        # The tasks of a session see the archives of the session, and not those of the server.
        try:
            spark.addArtifacts(f"{environment}#{_UNPACKED}", archive=True)
        except Exception:  # Sail has none
            spark.stop()
            raise
        spark.conf.set("spark.sql.execution.pyspark.python", _PYTHON_UNPACKED)
    return Session(spark, is_connect=True)


def _with_driver_here(url: str, environment: Path | None) -> Session:
    from pyspark.sql import SparkSession  # noqa: PLC0415

    if environment:
        os.environ["PYSPARK_PYTHON"] = _PYTHON_UNPACKED
    # Spark's own choice is the first `python3` of the executor's PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(url).appName("poolhouse")
    # The end of a build is one line, and the bar of Spark would tear ours.
    builder = builder.config("spark.log.level", "OFF").config(
        "spark.ui.showConsoleProgress", "false"
    )
    if environment:
        builder = builder.config("spark.archives", f"{environment}#{_UNPACKED}")
    return Session(builder.getOrCreate(), is_connect=False)


def _kind(url: str) -> str:
    """Return `sc`, `spark` or `local`; raise PoolhouseError for any other address."""
    if url == "local" or (url.startswith("local[") and url.endswith("]")):
        return "local"
    with suppress(ValueError):  # a port that is no number
        parts = urlsplit(url)
        if parts.scheme in _DEFAULT_PORTS and parts.hostname and parts.port != 0:
            return parts.scheme
    raise PoolhouseError(f"{url}: not an address of Spark: write {_ADDRESSES}")


def _check_client(kind: str) -> None:
    """Raise PoolhouseError if the packages of this kind of session are not installed."""
    if kind == "sc":
        if find_spec("pyspark") is None:
            raise PoolhouseError(
                "the client of Spark is not installed: pip install 'poolhouse[spark]'"
            )
        # The whole of Spark declares the packages of Connect as an extra.
        if find_spec("grpc_status") is None:
            raise PoolhouseError(
                "pyspark is installed without Spark Connect: pip install 'pyspark[connect]'"
            )
    elif find_spec("pyspark") is None or find_spec("pyspark.core") is None:
        raise PoolhouseError(
            "a driver in this process needs the whole of Spark, and Java: pip uninstall "
            "pyspark-client, then pip install pyspark; or name a server of Spark Connect (sc://)"
        )
