"""The tools that an agent may call. The file tools.json describes them; none changes anything."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poolhouse.building.staleness import collection_states
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import entries, entry_named
from poolhouse.errors import PoolhouseError
from poolhouse.mcp_server.answers import MOST_COUNTED, Answer
from poolhouse.mcp_server.folder import Folder
from poolhouse.option_values import USUAL_MEASURES
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

if TYPE_CHECKING:
    from poolhouse.mcp_server.runs import Runs

_COLLECTIONS = """
select
    collection_id, verdict, verdict_reasons, not_told, accuracy_with_estimates, topics_caveat,
    judging_caveat, title, main_measure, pool_depth, pool_depth_source, n_runs, n_pooled_runs,
    n_topics, n_judgements, n_relevant
from dim_collections left join audit_collections using (collection_id)
order by collection_id
"""


@cache
def described() -> Any:  # noqa: ANN401 - JSON
    """Return what the server says of itself and of its tools."""
    return json.loads(Path(__file__).with_name("tools.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Tool:
    """A tool, with the schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]
    answer: Callable[..., Answer]

    def answer_to(self, given: Mapping[str, Any]) -> Answer:
        """Answer. Raise PoolhouseError where an argument is missing, unknown or of another type."""
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - no first answer waits for it
        from jsonschema.exceptions import best_match  # noqa: PLC0415

        if problem := best_match(Draft202012Validator(self.schema).iter_errors(given)):
            place = "".join(f"{each}: " for each in problem.path)
            has = ", ".join(self.schema["properties"]) or "none"
            raise PoolhouseError(f"{self.name}: {place}{problem.message} (its arguments: {has})")
        return self.answer(**given)


@dataclass(frozen=True)
class Tools:
    """The tools over a warehouse or a lake, and over a folder of run files if one is named.

    Each is a method whose name it has.
    """

    warehouse: Warehouse
    folder: Folder | None = None

    def all(self) -> dict[str, Tool]:
        """Return every tool by its name."""
        return {
            name: Tool(name, each["description"], _schema(each), getattr(self, name))
            for each in described()["tools"]
            if self.folder or not each.get("needs_folder")
            for name in [each["name"]]
        }

    def list_collections(self) -> Answer:
        """Say of each collection what it is worth, and whether its marts are current."""
        with self.warehouse.read() as connection:
            notes = [each.problem for each in collection_states(connection) if each.problem]
            result = run_query(self.warehouse, _COLLECTIONS)
        return Answer(result.columns, result.rows, notes)

    def search_tables(self, words: str) -> Answer:
        """Find tables and columns."""
        from poolhouse.mcp_server.tables import search  # noqa: PLC0415 - reads YAML

        return search(self.warehouse, words)

    def describe_table(self, table: str) -> Answer:
        """Describe a table."""
        from poolhouse.mcp_server.tables import describe  # noqa: PLC0415 - reads YAML

        return describe(self.warehouse, table)

    def run_sql(self, query: str) -> Answer:
        """Run a statement as `poolhouse sql` does."""
        result = run_query(self.warehouse, query, most=MOST_COUNTED + 1)
        return Answer(result.columns, result.rows)

    def list_questions(self) -> Answer:
        """List the cookbook."""
        rows = [(each.name, each.about, each.question, each.parameters) for each in entries()]
        return Answer(("name", "about", "question", "parameters"), rows)

    def answer_question(
        self, question: str, values: Mapping[str, object] | None = None, **usual: str
    ) -> Answer:
        """Answer a question of the cookbook."""
        entry = entry_named(question)
        given = {name: str(value) for name, value in {**(values or {}), **usual}.items()}
        result = answer(self.warehouse, entry, given, MOST_COUNTED + 1)
        return Answer(result.columns, result.rows, [entry.question, entry.notes])

    def score_runs(
        self,
        collection: str,
        runs: Sequence[str],
        measures: Sequence[str] = USUAL_MEASURES,
        *,
        by_topic: bool = False,
    ) -> Answer:
        """Score runs."""
        return self._runs(collection).score(runs, measures, by_topic=by_topic)

    def compare_runs(
        self,
        collection: str,
        runs: Sequence[str],
        measures: Sequence[str],
        baseline: Sequence[str] = (),
    ) -> Answer:
        """Compare runs."""
        return self._runs(collection).compare(runs, measures, baseline)

    def adjust_run(
        self,
        collection: str,
        run: str,
        organization: str | None = None,
        *,
        all_estimates: bool = False,
    ) -> Answer:
        """Adjust the scores of a run file."""
        return self._runs(collection).adjust(run, organization, all_estimates=all_estimates)

    def list_files(self) -> Answer:
        """List the files of the folder."""
        return Answer(("file",), [(name,) for name in self.folder.names()] if self.folder else [])

    def _runs(self, collection: str) -> "Runs":
        from poolhouse.mcp_server.runs import Runs  # noqa: PLC0415 - polars and scipy

        return Runs(self.warehouse, self.folder, collection)


def _schema(described_: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": described_["arguments"],
        "required": described_.get("required", []),
        "additionalProperties": False,
    }
