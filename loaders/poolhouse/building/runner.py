"""Running a plan on the side file: relations, the rows of one unit of work at a time, tests.

The rule of a table says which of its rows are rebuilt (docs/decisions/plan.md).
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from poolhouse.building.at_hand import reset, rows_that_break, set_at_hand, set_runs
from poolhouse.building.plan import Change, Kind, Node, Plan, Rule
from poolhouse.building.plan.statements import adding, commenting, emptying, filling, making
from poolhouse.building.portions import portions_of
from poolhouse.building.work import Work
from poolhouse.errors import BuildFailedError
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# Called before each step with its name, the number of finished steps and of all steps.
Progress = Callable[[str, int, int], None]

# Names in a file of somebody else may be anything.
_EXISTING = """
    with relations as (
        select schema_name, table_name as name, 'table' as kind, internal
        from system.main.duckdb_tables()
        union all
        select schema_name, view_name, 'view', internal from system.main.duckdb_views()
        union all
        select schema_name, function_name, 'macro table', internal
        from system.main.duckdb_functions()
        where function_type = 'table_macro'
    )

    select schema_name || '.' || name, schema_name, name, kind from relations where not internal
"""


class Runner:
    """Runs one plan on one connection. All methods raise BuildFailedError that names the node."""

    def __init__(
        self,
        plan: Plan,
        connection: duckdb.DuckDBPyConnection,
        log: Path,
        progress: Progress,
        n_works: int,
    ) -> None:
        self.plan = plan
        self.connection = connection
        self._log = log
        self._progress = progress
        self._n_done = 0
        self._n_steps = n_works * (len(plan.of_collections) + len(plan.tests_of_rows))
        self._touched: set[str] = set()
        self._work: Work | None = None
        connection.execute("set preserve_insertion_order = false")

    def define(self, change: Change, empty: Path | None = None) -> None:
        """Create the stale relations, with empty tables, and set their comments.

        Where the file has none of them, they are copied from `empty`, a database that has them all.
        """
        if not change:
            return
        kinds: dict[str, str] = {}
        written: dict[str, str] = {}
        for relation, schema, name, kind in self.connection.execute(_EXISTING).fetchall():
            kinds[relation] = kind
            written[relation] = f"{quoted_name(schema)}.{quoted_name(name)}"
        there = kinds.keys() & {node.relation for node in self.plan.relations}
        if empty and not there and self._copies(empty):
            self._touched |= change.stale
            return
        with self._transaction():
            for relation in change.gone & kinds.keys():
                self.connection.execute(f"drop {kinds[relation]} {written[relation]}")
            for node in self.plan.relations:
                with self._naming(node):
                    if node.name in change.stale:
                        self._define(node, kinds.get(node.relation, node.kind))
                    if node.name in change.stale | change.reworded:
                        self._run(commenting(node))
        self._touched |= change.stale

    def _copies(self, empty: Path) -> bool:
        """Copy all relations. Return whether it succeeds; a file that is damaged is removed."""
        [(own,)] = self.connection.execute("select system.main.current_database()").fetchall()
        try:
            self.connection.execute(f"attach {quoted_text(str(empty))} as empty (read_only)")
            with self._transaction():
                self.connection.execute(f"copy from database empty to {quoted_name(own)}")
            self.connection.execute("detach empty")
        except (duckdb.InterruptException, duckdb.PermissionException):
            raise  # the file is as it was
        except duckdb.Error:
            empty.unlink(missing_ok=True)
            self.connection.execute("detach database if exists empty")
            return False
        return True

    def _define(self, node: Node, kind_before: str) -> None:
        if kind_before != node.kind:
            self.connection.execute(f"drop {kind_before} {node.relation}")
        if node.kind is Kind.OWN_MACRO:
            return
        schema = node.relation.partition(".")[0]
        self.connection.execute(f"create schema if not exists {schema}")
        if node.kind is Kind.TABLE and (node.rule or node.name in self.plan.loaded):
            # Its rows are built later, between its hooks.
            self.connection.execute(making(node))
            return
        rows = filling(node) if node.kind is Kind.TABLE else ()
        self._run((*node.before, making(node), *rows, *node.after))

    def make(self, work: Work) -> None:
        """Build the rows of collections, and run the tests of the tables that hold them.

        If this fails, rows of earlier tables may remain.
        """
        self._work = work
        try:
            set_at_hand(self.connection, work.collections)
            made = set(self._made(work)) | work.touched
            self._touched |= made
            set_at_hand(self.connection, work.collections)
            self._test(made, str(work))
        finally:
            reset(self.connection)
            self._work = None

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
            with self._naming(node), self._hooked(node), self._transaction():
                if runs is None or node.rule in {Rule.BY_COLLECTION, Rule.POOL}:
                    self._fill(node, at_hand)
                elif node.rule is Rule.BY_RUN:
                    chosen = "list_contains(getvariable('runs_at_hand'), run_key)"
                    self._run(filling(node, f"{at_hand} and {chosen}"))
                elif node.rule is Rule.NUMBERING:
                    self._renumber(node, at_hand, runs, only_adds=work.only_adds_runs)
                elif with_other_pool:
                    # A table by pool: the rows of the other collections stay as they are.
                    others = {key: work.collections[key] for key in with_other_pool}
                    set_at_hand(self.connection, others)
                    self._fill(node, _is_of(with_other_pool))
                    set_at_hand(self.connection, work.collections)
                else:
                    continue
            yield node.name

    def _fill(self, node: Node, at_hand: str) -> None:
        """Rebuild the rows at hand of all runs, for a large collection in portions of its runs."""
        portions = list(portions_of(self.connection, node, at_hand))
        if not portions:
            self._run(filling(node, at_hand))
            return
        # Runs that are gone have no portion.
        self._run((emptying(node, at_hand),))
        for portion in portions:
            set_runs(self.connection, portion.variable, portion.runs)
            self._run((adding(node),))
        set_runs(self.connection, portions[0].variable, None)

    def _choose(self, runs: Collection[int] | None) -> None:
        set_runs(self.connection, "runs_at_hand", runs)

    def _pools(self, at_hand: str) -> set[tuple[int, int]]:
        """Return each collection that has a pool, with a checksum of the rows that define it."""
        rows = " union all ".join(
            f"select collection_key, hash('{node.name}', pool) as checksum"
            f" from {node.relation} as pool where {at_hand}"
            for node in self.plan.pool
        )
        return set(
            self.connection.execute(
                f"select collection_key, bit_xor(checksum) from ({rows}) group by collection_key"
            ).fetchall()
        )

    def _with_all_runs(self, collections: set[int], work: Work) -> list[int] | None:
        """Return the changed runs, and all runs of these collections, whose pool changed.

        None stands for all runs.
        """
        if collections == work.collections.keys():
            return None
        found = self.connection.execute(
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
        assert node.numbering  # noqa: S101 - its rule says so
        id_, key = node.numbering
        is_known = f"known.collection_key = found.collection_key and known.{id_} = found.{id_}"
        self.connection.execute(
            f"""
            insert into {node.relation} by name
            with known as (from {node.relation} where {at_hand}),
            last as (select collection_key, max({key}) as number from known group by all)
            select
                found.* replace (
                    cast(
                        coalesce(last.number, 0)
                        + row_number() over (
                            partition by found.collection_key order by found.{key}
                        ) as integer
                    ) as {key}
                )
            from ({node.sql}) as found
            anti join known on {is_known}
            left join last on found.collection_key = last.collection_key
            """
        )
        if not only_adds:
            self._choose(None)
            self.connection.execute(
                f"""
                delete from {node.relation} as known
                where
                    {at_hand} and not exists (from ({node.sql}) as found where {is_known})
                """
            )
            self._choose(runs)

    def forget(self, collection_key: int) -> None:
        """Delete the rows of a collection."""
        for node in self.plan.of_collections:
            with self._naming(node):
                self.connection.execute(
                    f"delete from {node.relation} where collection_key = ?", [collection_key]
                )
                self._touched.add(node.name)

    def restore(self, collection_key: int, published: Warehouse) -> None:
        """Restore the published rows of a collection."""
        self.forget(collection_key)
        published.attach(self.connection, "published")
        for node in self.plan.of_collections:
            self.connection.execute(
                f"""
                insert into {node.relation} by name
                from published.{node.relation} where collection_key = ?
                """,
                [collection_key],
            )
        self.connection.execute("detach published")

    def finish(self) -> None:
        """Build plain tables that depend on loaded data."""
        for node in self.plan.plain_tables:
            is_of_loaded = node.name in self.plan.loaded
            if is_of_loaded and self.plan.shown(self._touched) & {node.name, *node.reads}:
                with self._naming(node), self._hooked(node), self._transaction():
                    self._run(filling(node))
                self._touched.add(node.name)

    def _test(self, made: Collection[str], of: str) -> None:
        """Run the tests of the tables with new rows."""
        for test in self.plan.tests_of_rows:
            if not set(made).isdisjoint(test.reads):
                self._step(f"{of}: checking")
                with self._naming(test):
                    if n_rows := rows_that_break(self.connection, test):
                        raise self._failure(test, f"{n_rows} rows that break the test")

    def _run(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self.connection.execute(statement)

    def _step(self, name: str) -> None:
        self._progress(name, self._n_done, max(self._n_steps, self._n_done + 1))
        self._n_done += 1

    # A signal ends the build and the connection, and then nothing is restored. After a signal
    # before the block, the generator is collected on a closed connection.

    @contextmanager
    def _hooked(self, node: Node) -> Iterator[None]:
        self._run(node.before)
        try:
            yield
        except Exception:
            self._run(node.after)
            raise
        self._run(node.after)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.begin()
        try:
            yield
        except Exception:
            self.connection.rollback()
            raise
        self.connection.commit()

    @contextmanager
    def _naming(self, node: Node) -> Iterator[None]:
        """Name the node that the engine refuses in the error."""
        try:
            yield
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise self._failure(node, first_line(error)) from error

    def _failure(self, node: Node, problem: str) -> BuildFailedError:
        if self._work and len(self._work.collections) > 1:
            # The failing collection is not known yet, so there is nothing to record.
            return BuildFailedError([f"{node.name}: {problem}"], self._log)
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{node.name}: {problem}\n\n{node.sql}\n\n")
        return BuildFailedError([f"{node.name}: {problem}"], self._log)


def _is_of(collections: Iterable[int]) -> str:
    return f"collection_key in ({', '.join(map(str, collections))})"
