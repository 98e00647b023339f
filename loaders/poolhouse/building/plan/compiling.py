"""Compiling the project by dbt, and turning the result into the nodes of a plan."""

import gc
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.building.plan.lineage import problem_of_lineage
from poolhouse.building.plan.nodes import Column, Kind, Node, Plan, Rule
from poolhouse.building.plan.seeds import seed_query
from poolhouse.building.plan.trying import with_columns
from poolhouse.errors import PlanError

if TYPE_CHECKING:
    from dbt.cli.main import dbtRunner
    from dbt.contracts.graph.manifest import Manifest

_QUIETLY = (
    *("--log-level", "none", "--log-level-file", "none"),
    *("--no-version-check", "--no-write-json"),
)
_WITHOUT_DATABASE = ("--no-introspect", "--no-populate-cache")
# Nodes that the command line does not need: tests of the project itself, which pytest runs by dbt,
# and the questions that are plain SQL.
_NOT_IN_A_PLAN = ("--exclude", "tag:macro", "resource_type:unit_test", "path:analyses/*.sql")

_KINDS = {
    "table": Kind.TABLE,
    "seed": Kind.TABLE,
    "view": Kind.VIEW,
    "table_macro": Kind.MACRO,
    "own_macro": Kind.OWN_MACRO,
    "test": Kind.TEST,
}

_PROBLEM_LENGTH = 500

_OTHER_DBT = (
    "dbt-core 1, which compiles the models, is not complete in this environment: if the package "
    "`dbt` (dbt 2) is or was installed here, uninstall it, and reinstall dbt-core"
)


def compile_plan(project: Path, scratch: Path, settings: Mapping[str, Any]) -> Plan:
    """Compile the project with these settings, which takes some ten seconds.

    `scratch` is the folder of dbt's parsed state. Raise PlanError where dbt or the engine refuses
    the project, a contract is broken, or a rule does not fit.
    """
    manifest, compiled = _compiled(project, scratch, settings)
    nodes = [_node(each, manifest, project) for each in compiled]
    contracts = {
        each.name: {column.name: column.data_type for column in each.columns.values()}
        for each in compiled
        if each.resource_type == "model" and each.config.contract.enforced
    }
    plan = Plan(tuple(with_columns(_in_order(nodes), contracts)), dict(settings))
    if problem := problem_of_lineage(plan):
        raise PlanError(problem)
    return plan


def _compiled(
    project: Path, scratch: Path, settings: Mapping[str, Any]
) -> "tuple[Manifest, list[Any]]":
    """Return dbt's manifest, and its nodes with their SQL. dbt has no stable type for them."""
    options = [
        *("--project-dir", str(project)),
        *("--profiles-dir", str(project)),
        *("--target-path", str(scratch / "target")),
        *("--log-path", str(scratch)),
    ]
    # Parse without the settings. dbt would parse the project again for each setting, and the result
    # does not depend on them.
    variables = ("--vars", json.dumps(dict(settings)))
    with _without_collecting():
        parsed = _invoke("parse", options)
        done = _invoke(
            "compile", [*options, *variables, *_WITHOUT_DATABASE, *_NOT_IN_A_PLAN], parsed
        )
    return parsed, [result.node for result in done.results]


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Switch off garbage collection, which takes a tenth of the time; dbt leaves little garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _invoke(command: str, options: list[str], parsed: "Manifest | None" = None) -> Any:  # noqa: ANN401
    outcome = _runner()(parsed).invoke([*_QUIETLY, command, *options])
    if isinstance(outcome.exception, KeyboardInterrupt):
        raise outcome.exception
    if not outcome.success:
        raise PlanError(_problem(outcome))
    return outcome.result


def _runner() -> "type[dbtRunner]":
    """Return the runner of dbt 1. The package of dbt 2 has other modules of the same names."""
    # Importing dbt takes seconds.
    try:
        from dbt.cli.main import cli, dbtRunner  # noqa: PLC0415
    except ImportError as error:
        raise PlanError(f"{_OTHER_DBT} ({error})") from error
    if not isinstance(cli, click.Command):
        raise PlanError(_OTHER_DBT)
    return dbtRunner


def _problem(outcome: Any) -> str:  # noqa: ANN401 - dbt's result has no stable type
    """Make one line of dbt's message, without the stack of macros at its end."""
    if outcome.exception is not None:
        said = str(outcome.exception)
    else:
        said = "; ".join(
            f"{result.node.name}: {result.message}"
            for result in outcome.result.results
            if result.status not in {"success", "pass"}
        )
    return " ".join(said.partition("> in macro")[0].split())[:_PROBLEM_LENGTH]


def _node(compiled: Any, manifest: "Manifest", project: Path) -> Node:  # noqa: ANN401
    config = compiled.config
    if config.materialized not in _KINDS:
        kinds = ", ".join(_KINDS)
        raise PlanError(
            f"{compiled.original_file_path}: materialized is {config.materialized!r}: it must be "
            f"one of {kinds}"
        )
    is_question = compiled.resource_type == "analysis"
    kind = Kind.QUESTION if is_question else _KINDS[config.materialized]
    if kind in {Kind.TEST, Kind.QUESTION}:
        # The alias is short; the name of a generic test has all its arguments.
        return Node(compiled.alias, kind, "", _sql(compiled), tuple(_reads(compiled, manifest)))
    meta = config.meta
    is_seed = compiled.resource_type == "seed"
    return Node(
        name=compiled.name,
        kind=kind,
        relation=f"{compiled.schema}.{compiled.alias}",
        sql=seed_query(compiled, project) if is_seed else _sql(compiled),
        reads=() if is_seed else tuple(_reads(compiled, manifest)),
        rule=_rule(meta, compiled),
        numbering=(meta["id"], meta["key"]) if "id" in meta else None,
        portions=meta.get("portions"),
        arguments=tuple(config.get("arguments") or ()),
        before=tuple(_plain(hook.sql, compiled) for hook in config.pre_hook),
        after=tuple(_plain(hook.sql, compiled) for hook in config.post_hook),
        # Descriptions from the YAML; the engine knows the types.
        columns=tuple(
            Column(each.name, "", each.description) for each in compiled.columns.values()
        ),
        comment=compiled.description,
    )


def _sql(compiled: Any) -> str:  # noqa: ANN401
    """Return the query of a node with a final line end, which ends a comment in its last line."""
    return f"{compiled.compiled_code}\n"


def _rule(meta: Mapping[str, Any], compiled: Any) -> Rule | None:  # noqa: ANN401
    # The rule of a folder is for its tables.
    rule = meta.get("rule") if compiled.config.materialized == "table" else None
    if rule is not None and rule not in list(Rule):
        rules = ", ".join(Rule)
        raise PlanError(
            f"{compiled.original_file_path}: rule is {rule!r}: it must be one of {rules}"
        )
    if rule == Rule.NUMBERING and not {"id", "key"} <= meta.keys():
        raise PlanError(f"{compiled.original_file_path}: its meta lacks the columns `id` and `key`")
    return rule and Rule(rule)


def _plain(hook: str, compiled: Any) -> str:  # noqa: ANN401
    # dbt compiles hooks only when it runs them.
    if any(mark in hook for mark in ("{{", "{%", "{#")):
        raise PlanError(f"{compiled.original_file_path}: a hook must be plain SQL, without Jinja")
    return hook


def _reads(compiled: Any, manifest: "Manifest") -> Iterator[str]:  # noqa: ANN401
    """Return the names that a node reads, also through inlined nodes."""
    for key in dict.fromkeys(compiled.depends_on.nodes):
        if key in manifest.sources:
            source = manifest.sources[key]
            yield f"{source.schema}.{source.identifier}"
        elif manifest.nodes[key].config.materialized == "ephemeral":
            yield from _reads(manifest.nodes[key], manifest)
        else:
            yield manifest.nodes[key].name


def _in_order(nodes: Iterable[Node]) -> Iterator[Node]:
    """Return the nodes in a stable order, each after the nodes that it reads."""
    by_name: dict[str, Node] = {}
    for node in sorted(nodes, key=lambda node: node.name):
        if node.name in by_name:
            raise PlanError(f"two models or tests are called {node.name}: rename one")
        by_name[node.name] = node
    graph = {name: sorted(by_name.keys() & node.reads) for name, node in by_name.items()}
    for name in TopologicalSorter(graph).static_order():
        yield by_name[name]
