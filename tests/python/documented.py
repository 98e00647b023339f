"""Find the commands and the SQL that README and docs tell a reader to type in blocks of code.

A reader types indented blocks, and fenced blocks that name a language. A fenced block without a
language holds the output of a command.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import duckdb
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_OF_A_SHELL = {"sh", "bash", "shell", "console"}
_PROGRAMS = ("poolhouse ", "uv ", "uvx ", "pip ", "python ", "eval ", "harlequin ", "hsql ")
_BEGINS_SQL = ("select ", "with ", "from ", "describe ", "summarize ", "attach ")
# `from` is not among these words: a line within a query may begin with it.
_BEGINS_ANOTHER = ("select ", "with ", "attach ", "# ", *_PROGRAMS)
_ALTERNATIVES = re.compile(r"\w+(\|\w+)+")
_STATUS = re.compile(r"#.*exit status (\d)")


@dataclass(frozen=True)
class Block:
    """A block of code; `language` is empty where the block is indented."""

    page: str
    section: str
    line_number: int
    language: str
    text: str


@dataclass(frozen=True)
class Command:
    """One command line of a block; `exit_status` is 0, or the one that its comment names."""

    text: str
    exit_status: int

    @property
    def steps(self) -> Iterator[list[str]]:
        """Split the command at `&&`, without `uv run` and the pipe or file that takes the result.

        Each alternative of words such as `csv|json` is a separate step.
        """
        words = shlex.split(self.text.removeprefix("$ "), comments=True)
        for step in _split(words, "&&"):
            first, *_ = _split(next(_split(step, "|")), ">")
            first = first[2:] if first[:2] == ["uv", "run"] else first
            choices = [w.split("|") if _ALTERNATIVES.fullmatch(w) else [w] for w in first]
            yield from map(list, product(*choices))


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page that a reader types."""
    section = ""
    tokens = _parsed(page)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and after is not None:
            section = after.content
        is_typed = token.type == "code_block" or (token.type == "fence" and token.info)
        if is_typed and token.map:
            name = str(page.relative_to(ROOT))
            yield Block(name, section, token.map[0] + 1, token.info, token.content.strip("\n"))


def commands(block: Block) -> list[Command]:
    """Return the command lines of a block; a line continues within quotes, or after a backslash."""
    found = []
    for text in _typed(block):
        if block.language != "sql" and not _is_sql(text) and not text.startswith("#"):
            status = _STATUS.search(text)
            found.append(Command(text, int(status[1]) if status else 0))
    return found


def statements(block: Block) -> list[str]:
    """Return the SQL statements of a block."""
    return [
        statement.query
        for text in _typed(block)
        if block.language == "sql" or _is_sql(text)
        for statement in duckdb.extract_statements(text)
    ]


def mentions(page: Path) -> list[str]:
    """Return texts in backquotes that begin with `poolhouse`, from running text and tables."""
    inline = [child for token in _parsed(page) for child in token.children or ()]
    return [
        child.content
        for child in inline
        if child.type == "code_inline" and child.content.startswith("poolhouse ")
    ]


@cache
def _parsed(page: Path) -> list[Token]:
    return MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))


def _split(words: list[str], separator: str) -> Iterator[list[str]]:
    begun: list[str] = []
    for word in words:
        if word == separator:
            yield begun
            begun = []
        else:
            begun.append(word)
    yield begun


def _typed(block: Block) -> list[str]:
    """Split a block into entries: a command ends with its line, SQL where the next one begins."""
    is_known = block.language in {*_OF_A_SHELL, "sql"} or (
        block.language == "" and block.text.lower().startswith((*_PROGRAMS, *_BEGINS_SQL, "$ "))
    )
    found: list[str] = []
    for line in block.text.splitlines() if is_known else ():
        begins = line.removeprefix("$ ")
        if found and not _ends(found[-1], begins):
            found[-1] += f"\n{line}"
        elif line.strip():
            found.append(begins)
    return found


def _ends(text: str, next_line: str) -> bool:
    if _is_sql(text) and not next_line.startswith(_BEGINS_ANOTHER):
        return False
    return _is_whole(text)


def _is_sql(text: str) -> bool:
    return text.lower().startswith(_BEGINS_SQL)


def _is_whole(text: str) -> bool:
    if text.endswith("\\"):
        return False
    try:
        if _is_sql(text):
            return len(duckdb.extract_statements(text)) > 0
        shlex.split(text, comments=True)
    except (duckdb.Error, ValueError):
        return False
    return True
