"""The tools that an agent may call. The file tools.json describes them; none changes anything.

A tool is a function of its name, in the module that the file names. Its module is imported when it
is called, because some wait for data frames and statistics.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from poolhouse.errors import PoolhouseError
from poolhouse.mcp_server.answers import Answer
from poolhouse.mcp_server.source import Source


@dataclass(frozen=True)
class Tool:
    """A tool over a source, with the schema of its arguments."""

    source: Source
    name: str
    description: str
    module: str
    schema: Mapping[str, Any]

    def answer(self, **given: object) -> Answer:
        """Answer. Raise PoolhouseError where an argument is missing, unknown or of another type."""
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - no first answer waits for it
        from jsonschema.exceptions import best_match  # noqa: PLC0415

        if problem := best_match(Draft202012Validator(self.schema).iter_errors(given)):
            place = "".join(f"{each}: " for each in problem.path)
            has = ", ".join(self.schema["properties"]) or "none"
            raise PoolhouseError(f"{self.name}: {place}{problem.message} (its arguments: {has})")
        module = import_module(f"poolhouse.mcp_server.{self.module}")
        answer: Answer = getattr(module, self.name)(self.source, **given)
        return answer


@cache
def described() -> Any:  # noqa: ANN401 - JSON
    """Return what the server says of itself and of its tools."""
    return json.loads(Path(__file__).with_name("tools.json").read_text(encoding="utf-8"))


def tools_over(source: Source) -> dict[str, Tool]:
    """Return the tools by name; some are there only with a folder."""
    return {
        each["name"]: Tool(source, each["name"], each["description"], each["module"], _schema(each))
        for each in described()["tools"]
        if source.folder or not each.get("needs_folder")
    }


def _schema(tool: Mapping[str, Any]) -> dict[str, Any]:
    required = tool.get("required", [])
    shape = {"type": "object", "additionalProperties": False}
    return {**shape, "properties": tool["arguments"], "required": required}
