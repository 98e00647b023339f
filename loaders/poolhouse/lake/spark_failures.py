"""What an error of Spark says, in one line instead of two stack traces."""

import re

TRACEBACK = "Traceback (most recent call last):"
# Errors of gRPC show their fields, one a line.
_DETAILS = re.compile(r'details = "(.*)"')
# The module of an error's class.
_MODULE = re.compile(r"^(\w+\.)+(?=\w+: )")
_LONGEST = 300

# What to do about a message, by a part of it.
_ADVICE = {
    "No module named 'poolhouse": "install poolhouse in the Python of the executors, or send one "
    "with --environment",
    "Python worker exited": "the process of a task ended, most often for lack of memory",
    "task scheduling timeout": "start Sail with SAIL_CLUSTER__TASK_LAUNCH_TIMEOUT_SECS=86400",
    "PYTHON_VERSION_MISMATCH": "give the executors the Python version of this process",
}


def in_one_line(error: BaseException) -> str:
    """Return the cause in an error of Spark, with advice where there is one."""
    text = str(error).strip() or type(error).__name__
    cause = " ".join((_raised(text) or _first_line(text)).split())
    advice = next((then for part, then in _ADVICE.items() if part in text), "")
    cause = _MODULE.sub("", cause)[:_LONGEST].rstrip(".")
    return f"{cause}{f'; {advice}' if advice else ''}"


def _raised(text: str) -> str:
    """Return the last line of the last traceback of Python; empty if there is none.

    The lines of a traceback are indented, and the raised error is the first line that is not.
    """
    _, is_found, rest = text.rpartition(TRACEBACK)
    lines = rest.splitlines() if is_found else []
    return next((line for line in lines if line.strip() and not line.startswith((" ", "\t"))), "")


def _first_line(text: str) -> str:
    details = _DETAILS.search(text)
    return details[1] if details else text.splitlines()[0]
