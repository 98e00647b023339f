"""Run the models that infer a pool on given rankings and judgements, without a build."""

from dataclasses import dataclass

import duckdb

from poolhouse.building.plan import Kind, plan_of

# The models that infer the pool, in the order of the plan. Tests give the other tables they read.
_MODELS = frozenset(
    {
        "int_judged_topics",
        "int_run_topics",
        "int_rank_steps",
        "int_depth_voters",
        "int_depth_evidence",
        "int_inferred_depths",
        "int_own_depths",
        "int_topic_pools",
        "int_pool_depths",
        "int_run_pool_depths",
        "int_pool_edges",
        "int_pooled_states",
        "int_pooled_runs",
    }
)


@dataclass(frozen=True)
class Inferred:
    """The pool of a collection, as the qrels show it; the depth is None where nothing is judged.

    `depths` has the depth of each pooled run.
    """

    depth: int | None
    confidence: float | None
    depths: dict[int, int]

    @property
    def pooled_runs(self) -> frozenset[int]:
        return frozenset(self.depths)


def infer(connection: duckdb.DuckDBPyConnection) -> Inferred:
    """Run the models on a database of one collection, and drop the tables that they made.

    The schema `intermediate` has the tables `int_rankings`, `int_judgements`, `int_runs`,
    `int_missing_runs`, `int_topic_attributes`, `int_listed_pools` and `int_collections`.
    """
    nodes = [each for each in plan_of({}).nodes if each.name in _MODELS]
    assert len(nodes) == len(_MODELS)
    for node in nodes:
        connection.execute(f"create or replace {node.kind} {node.relation} as {node.sql}")
    found = connection.execute(
        "select inferred_depth, confidence from intermediate.int_inferred_depths"
    ).fetchall()
    # Where documents are judged, there must be a row even if there is no depth.
    [(n_judgements,)] = connection.execute(
        "select count(*) from intermediate.int_judgements"
    ).fetchall()
    assert len(found) == bool(n_judgements)
    [(depth, confidence)] = found or [(None, None)]
    pooled = connection.execute("select run_key, pool_depth from intermediate.int_pooled_runs")
    depths = dict(pooled.fetchall())
    for node in reversed(nodes):
        kind = "view" if node.kind is Kind.VIEW else "table"
        connection.execute(f"drop {kind} {node.relation}")
    return Inferred(depth, confidence, depths)
