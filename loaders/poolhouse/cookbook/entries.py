"""The cookbook: questions that evaluators ask, each a file of SQL in the folder `analyses`.

An entry has the following layout, and is a dbt analysis too:

    -- question: ...
    -- about: runs, topics, judgements, trust or papers
    --
    -- what to look out for
    --
    -- parameter: collection
    -- parameter: measure = 'AP'
    with
    ...
    -- sample: --collection deep-pool
    -- the first rows of the answer

A parameter has a name with `$` in the SQL. Its default value is the SQL expression after `=`, which
may use $collection. The options of a sample are the options with which the demo gives the answer.

The folder `papers` has methods, tables and figures of papers. They read models and macros of the
project through dbt, so their SQL is in the plan, and they have no sample.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from poolhouse.building.plan import Plan
from poolhouse.building.project import project_folder
from poolhouse.errors import PoolhouseError, did_you_mean

PAPERS = "papers"
ABOUT = ("runs", "topics", "judgements", "trust", PAPERS)

_ENTRY = re.compile(
    r"-- question: (?P<question>.+)\n"
    r"-- about: (?P<about>.+)\n"
    r"--\n"
    r"(?P<notes>(?:-- .+\n)+)"
    r"(?:--\n(?P<parameters>(?:-- .+\n)+))?"
    r"(?P<sql>with\n(?s:.+?))\n"
    r"(?:-- sample:(?P<sample_options>.*)\n"
    r"(?P<sample>(?:--.*\n)*))?"
)
_PARAMETER = re.compile(
    r"parameter: (?P<name>\w+)(?: = (?P<default>.+?))?(?=\nparameter: |\Z)", re.S
)


@dataclass(frozen=True)
class Entry:
    """A question, and the SQL that answers it."""

    name: str
    """The name of its file without `.sql`."""
    question: str
    about: str
    notes: str
    """Advice on the answer, in one paragraph."""
    parameters: Mapping[str, str | None]
    """The SQL of each parameter's default value, or None if a value must be given."""
    sql: str
    sample_values: Mapping[str, str]
    """The values of the parameters for the sample."""
    sample: str
    """The lines of a table with the first rows of the answer on the demo; none of a paper."""
    text: str
    """The whole file."""


def cookbook_folder() -> Path:
    """Return the folder of the entries: in an installed wheel, or else in the checkout."""
    return project_folder() / "analyses"


@cache
def entries() -> tuple[Entry, ...]:
    """Read all entries, in the order of their subjects and names."""
    found = [entry_in(file) for file in cookbook_folder().rglob("*.sql")]
    return tuple(sorted(found, key=lambda each: (ABOUT.index(each.about), each.name)))


def entry_named(name: str) -> Entry:
    """Return the entry of this name. Raise PoolhouseError that suggests a similar name."""
    known = {each.name: each for each in entries()}
    if name not in known:
        raise PoolhouseError(
            f"{name!r} is not a question of the cookbook{did_you_mean(name, known)} (poolhouse "
            "cookbook lists them)"
        )
    return known[name]


def entry_in(file: Path) -> Entry:
    """Read an entry. Raise ValueError where its layout is wrong."""
    return _entry(file, file.read_text(encoding="utf-8"))


def compiled(entry: Entry, plan: Plan) -> Entry:
    """Return the entry with the SQL that dbt makes of it, if it is about a paper."""
    if entry.about != PAPERS:
        return entry
    return _entry(Path(entry.name), plan.questions[entry.name])


def _entry(file: Path, text: str) -> Entry:
    parts = _ENTRY.fullmatch(text)
    if parts is None:
        raise ValueError(f"{file}: not laid out as an entry of the cookbook")
    options = shlex.split(parts["sample_options"] or "")
    return Entry(
        name=file.stem,
        question=parts["question"],
        about=parts["about"],
        notes=" ".join(_uncommented(parts["notes"]).split()),
        parameters={
            each["name"]: each["default"]
            for each in _PARAMETER.finditer(_uncommented(parts["parameters"] or ""))
        },
        sql=parts["sql"],
        sample_values={
            option.removeprefix("--").replace("-", "_"): value
            for option, value in zip(options[::2], options[1::2], strict=True)
        },
        sample=_uncommented(parts["sample"] or ""),
        text=text,
    )


def _uncommented(lines: str) -> str:
    """Remove the two hyphens and the space from lines of comments."""
    return "\n".join(line[3:] for line in lines.splitlines())
