"""ir_metadata of a run: YAML in the comments at the head of its file, or in a file beside it."""

from dataclasses import dataclass
from typing import Any

import yaml

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.lines import COMMENT_MARK
from poolhouse.loading.parsers.run_description import printable_words
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.parsers.yaml_text import readable_yaml

# Bytes of metadata, which takes a second for 100 KB. Metadata of a run has a few kilobytes.
METADATA_LIMIT = 64 * 1024
_START, _END = "ir_metadata.start", "ir_metadata.end"
_HEAD = f"{COMMENT_MARK} {_START}".encode()
# What a template has where nobody wrote a value.
_NO_VALUE = "ENTER_VALUE_HERE"
_TYPES = {"true": "automatic", "yes": "automatic", "false": "manual", "no": "manual"}


@dataclass(frozen=True)
class RunMetadata:
    """What metadata declares of a run. None: nothing is declared."""

    tag: str | None = None
    organization: str | None = None
    run_type: str | None = None
    description: str | None = None


def metadata_at_head(source: SourceFile) -> RunMetadata | None:
    """Return the metadata in the first comments of a run file; None where they hold none.

    Raise BadFileError, with the line, where it is no YAML, is not closed, or is too large.
    """
    if not source.data.startswith(_HEAD):
        return None
    lines = source.data[:METADATA_LIMIT].decode(errors="ignore").split("\n")
    end = next((n for n, line in enumerate(lines) if line.strip("# \r") == _END), None)
    if end is None:
        problem = f"{_START} without {_END} in its first {METADATA_LIMIT // 1024} KB"
        raise BadFileError(source.path, problem, 1)
    return _metadata(source, "\n".join(line.lstrip(COMMENT_MARK) for line in ["", *lines[1:end]]))


def parse_metadata(source: SourceFile) -> RunMetadata:
    """Parse a file of metadata. Raise BadFileError, with the line, where it is no YAML."""
    text = source.data.decode()
    marks = (_START, _END)
    return _metadata(
        source, "\n".join("" if each.rstrip() in marks else each for each in text.split("\n"))
    )


def _metadata(source: SourceFile, text: str) -> RunMetadata:
    with readable_yaml(source.path, text, "ir_metadata in YAML"):
        loader = yaml.BaseLoader(text)
        node = loader.get_single_node()
        content = loader.construct_object(node, deep=True) if node else {}
    automatic = _value(content, "method", "automatic") or ""
    return RunMetadata(
        _value(content, "tag"),
        _value(content, "actor", "team"),
        _TYPES.get(automatic.lower()),
        _value(content, "method", "description") or _value(content, "research goal", "description"),
    )


def _value(content: Any, *names: str) -> str | None:  # noqa: ANN401 - of any YAML
    for name in names:
        content = content.get(name) if isinstance(content, dict) else None
    return printable_words(content) if isinstance(content, str) and content != _NO_VALUE else None
