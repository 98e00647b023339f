"""The layout of a lake: the paths of its files, and the relations that they hold.

marts/MART/collection_id=C/NAME.parquet   a public mart, for any engine
tables/SCHEMA.TABLE/collection_key=K/NAME.parquet   a stored table, from which readers compute
.incoming/BUILD/TASK/...   files of a running build; readers of folders skip the dot
.superseded/...   files that a later publication replaced, until the next build
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import duckdb

from poolhouse.building.plan import Node, Plan
from poolhouse.export.file_names import encoded
from poolhouse.export.marts import FIGURES
from poolhouse.warehouse import schemas

COLLECTION, KEY = "collection_id", "collection_key"
PREVIOUS = "previous_collection_id"
INCOMING, SUPERSEDED = ".incoming", ".superseded"
FOLDERS = ("marts", "tables")

# Lines of run files: large, and read by the macro pooling_orders alone.
RAW_LINES = "raw.run_lines"

# Tables of loading and building whose rows belong to the collections of a lake.
_LOADED = """
select schema_name || '.' || table_name
from duckdb_tables()
where
    database_name = ?
    and schema_name in ('raw', 'ops')
    and table_name not in ('settings', 'built_settings', 'built_relations', 'quality_results')
order by all
"""

# Names to which engines give the meaning of null in a path.
_MEANS_NULL = ("null", "__hive_default_partition__")
_LONGEST = 200  # bytes; file systems allow 255 for a part of a path


@dataclass(frozen=True)
class Stored:
    """A relation whose rows a lake stores. `partition` is the column that its paths hold."""

    relation: str
    folder: str
    partition: str

    def path(self, collection: str, key: int, name: str) -> str:
        """Return the path of the file of a collection with this name and key."""
        value = collection if self.partition == COLLECTION else key
        return f"{self.folder}/{self.partition}={encoded(str(value))}/{name}.parquet"


# A path of a file, as `Stored.path` writes it.
_PATH = re.compile(
    rf"({'|'.join(FOLDERS)})/[\w.]+/({COLLECTION}|{KEY})=[^/]+/[0-9a-f]{{16}}\.parquet"
)


def is_path(path: str) -> bool:
    """Return whether a path is one of a file with rows."""
    return _PATH.fullmatch(path) is not None


def version_of(plan: Plan) -> str:
    """Return a hash of the models and of the tables of loading, which a reader must have too."""
    return sha256(f"{plan.version}\0{schemas.ALL}".encode()).hexdigest()[:16]


def stored_mart(node: Node) -> Stored | None:
    """Return where a lake stores a relation, if it is a mart whose rows belong to collections.

    A reader, who has all, computes a mart that compares a collection with the previous one, and
    the figures of quality.
    """
    schema, _, name = node.relation.partition(".")
    columns = {each.name for each in node.columns}
    is_mart = schema in {"main", "audits"} and COLLECTION in columns and PREVIOUS not in columns
    if node.kind != "view" or not is_mart or node.relation == FIGURES:
        return None
    return Stored(node.relation, f"marts/{name}", COLLECTION)


def stored_tables(
    connection: duckdb.DuckDBPyConnection, plan: Plan, database: str
) -> Iterator[Stored]:
    """List the tables that a lake stores; `database` is a warehouse on the connection."""
    relations = [name for (name,) in connection.execute(_LOADED, [database]).fetchall()]
    relations += [node.relation for node in plan.of_collections]
    for relation in relations:
        yield Stored(relation, f"tables/{relation}", KEY)


def problem_of_name(collection: str) -> str:
    """Return why the paths of a lake cannot hold the name of a collection; empty if they can."""
    if collection.lower() in _MEANS_NULL:
        return f"the name {collection!r} stands for no value in the paths of a lake: rename it"
    if len(encoded(collection)) > _LONGEST:
        return (
            f"the name is too long for the paths of a lake: at most {_LONGEST} bytes, where a "
            "character that is no letter or digit takes 3 or more"
        )
    return ""
