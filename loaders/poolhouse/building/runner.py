"""Running a plan on the side file: the rows of one unit of work at a time, and their tests.

The rule of a table says which of its rows are rebuilt (docs/decisions/plan.md).
"""

from collections.abc import Collection, Iterable, Iterator

from poolhouse.building.at_hand import reset, rows_that_break, set_at_hand, set_runs
from poolhouse.building.execution import Execution
from poolhouse.building.plan import Node, Plan, Rule
from poolhouse.building.plan.statements import (
    adding,
    emptying,
    filling,
    numbering,
    removing_unnumbered,
)
from poolhouse.building.portions import portions_of
from poolhouse.building.work import Work
from poolhouse.progress import Progress
from poolhouse.warehouse.file import Warehouse


class Runner:
    """Runs one plan. All methods raise BuildFailedError that names the node.

    `touched` are the relations that were made anew, and then also those with other rows.
    """

    def __init__(
        self,
        plan: Plan,
        execution: Execution,
        progress: Progress,
        n_works: int,
        touched: Collection[str] = (),
    ) -> None:
        self.plan = plan
        self.touched = set(touched)
        self._execution = execution
        self._connection = execution.connection
        self._progress = progress
        self._n_done = 0
        self._n_steps = n_works * (len(plan.of_collections) + len(plan.tests_of_rows))

    def make(self, work: Work) -> None:
        """Build the rows of collections, and run the tests of the tables that hold them.

        If this fails, rows of earlier tables may remain.
        """
        # Of several, the failing collection is not known yet, so there is nothing to record.
        self._execution.is_logging = len(work.collections) == 1
        try:
            set_at_hand(self._connection, work.collections)
            made = set(self._made(work)) | work.touched
            self.touched |= made
            set_at_hand(self._connection, work.collections)
            self._test(made, str(work))
        finally:
            reset(self._connection)
            self._execution.is_logging = True

    def _made(self, work: Work) -> Iterator[str]:
        """Build the stale tables, and return their names."""
        runs = work.run_keys
        at_hand = _is_of(work.collections)
        pool_before = self._pools(at_hand) if runs is not None and self.plan.pool else None
        with_other_pool: set[int] = set()
        self._choose(runs)
        for node in self.plan.of_collections:
            if node.name not in work.tables:
                continue
            if pool_before is not None and node.name in self.plan.behind_pool:
                pool_now = self._pools(at_hand)
                with_other_pool = {key for key, _ in pool_before ^ pool_now}
                pool_before = None
                runs = self._with_all_runs(with_other_pool, work)
                self._choose(runs)
            self._step(f"{work}: {node.name}")
            with (
                self._execution.naming(node),
                self._execution.hooked(node),
                self._execution.transaction(),
            ):
                if runs is None or node.rule in {Rule.BY_COLLECTION, Rule.POOL}:
                    self._fill(node, at_hand)
                elif node.rule is Rule.BY_RUN:
                    chosen = "list_contains(getvariable('runs_at_hand'), run_key)"
                    self._execution.run(filling(node, f"{at_hand} and {chosen}"))
                elif node.rule is Rule.NUMBERING:
                    self._renumber(node, at_hand, runs, only_adds=work.only_adds_runs)
                elif with_other_pool:
                    # A table by pool: the rows of the other collections stay as they are.
                    others = {key: work.collections[key] for key in with_other_pool}
                    set_at_hand(self._connection, others)
                    self._fill(node, _is_of(with_other_pool))
                    set_at_hand(self._connection, work.collections)
                else:
                    continue
            yield node.name

    def _fill(self, node: Node, at_hand: str) -> None:
        """Rebuild the rows at hand of all runs, for a large collection in portions of its runs."""
        portions = list(portions_of(self._connection, node, at_hand))
        if not portions:
            self._execution.run(filling(node, at_hand))
            return
        # Runs that are gone have no portion.
        self._execution.run((emptying(node, at_hand),))
        for portion in portions:
            set_runs(self._connection, portion.variable, portion.runs)
            self._execution.run((adding(node),))
        set_runs(self._connection, portions[0].variable, None)

    def _choose(self, runs: Collection[int] | None) -> None:
        set_runs(self._connection, "runs_at_hand", runs)

    def _pools(self, at_hand: str) -> set[tuple[int, int]]:
        """Return each collection that has a pool, with a checksum of the rows that define it."""
        rows = " union all ".join(
            f"select collection_key, hash('{node.name}', pool) as checksum"
            f" from {node.relation} as pool where {at_hand}"
            for node in self.plan.pool
        )
        return set(
            self._connection.execute(
                f"select collection_key, bit_xor(checksum) from ({rows}) group by collection_key"
            ).fetchall()
        )

    def _with_all_runs(self, collections: set[int], work: Work) -> list[int] | None:
        """Return the changed runs, and all runs of these collections, whose pool changed.

        None stands for all runs.
        """
        if collections == work.collections.keys():
            return None
        found = self._connection.execute(
            "select run_key from raw.runs where list_contains(?, collection_key)",
            [list(collections)],
        )
        return sorted({*(work.run_keys or ()), *(key for (key,) in found.fetchall())})

    def _renumber(
        self, node: Node, at_hand: str, runs: Collection[int], *, only_adds: bool
    ) -> None:
        """Give new ids of the changed runs the next numbers, and remove ids that no longer occur.

        Finding ids that no longer occur needs all lines of the collection, and is done only if
        lines were removed.
        """
        self._execution.run([numbering(node, at_hand)])
        if not only_adds:
            self._choose(None)
            self._execution.run([removing_unnumbered(node, at_hand)])
            self._choose(runs)

    def forget(self, collection_key: int) -> None:
        """Delete the rows of a collection."""
        for node in self.plan.of_collections:
            with self._execution.naming(node):
                self._connection.execute(
                    f"delete from {node.relation} where collection_key = ?", [collection_key]
                )
                self.touched.add(node.name)

    def restore(self, collection_key: int, published: Warehouse) -> None:
        """Restore the published rows of a collection."""
        self.forget(collection_key)
        published.attach(self._connection, "published")
        for node in self.plan.of_collections:
            self._connection.execute(
                f"""
                insert into {node.relation} by name
                from published.{node.relation} where collection_key = ?
                """,
                [collection_key],
            )
        self._connection.execute("detach published")

    def _test(self, made: Collection[str], of: str) -> None:
        """Run the tests of the tables with new rows."""
        for test in self.plan.tests_of_rows:
            if not set(made).isdisjoint(test.reads):
                self._step(f"{of}: checking")
                with self._execution.naming(test):
                    if n_rows := rows_that_break(self._connection, test):
                        raise self._execution.failure(test, f"{n_rows} rows that break the test")

    def _step(self, name: str) -> None:
        self._progress(name, self._n_done, max(self._n_steps, self._n_done + 1))
        self._n_done += 1


def _is_of(collections: Iterable[int]) -> str:
    return f"collection_key in ({', '.join(map(str, collections))})"
