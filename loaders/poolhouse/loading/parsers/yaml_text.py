"""YAML as text: the errors of its reader in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from poolhouse.errors import BadFileError


@contextmanager
def readable_yaml(path: Path, text: str, what: str) -> Iterator[None]:
    """Raise BadFileError where reading the text of a file raises an error, with the line if known.

    `what` says what the file is. Read by `yaml.BaseLoader`, which constructs no value of a type.
    """
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise BadFileError(path, f"not {what}: {error.problem}", line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadFileError(path, f"not {what}: {error.reason}", line) from error
    except (ValueError, OverflowError, RecursionError) as error:
        # such as an escape that is no character
        raise BadFileError(path, f"not {what}: {error}") from error
