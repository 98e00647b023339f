"""What an engine may reach that has a warehouse open.

A warehouse may come from somebody else. Its views and macros run with the rights of the user. So an
engine is confined before it runs anything of a warehouse, for reading and for writing.

Built-in functions are called as `system.main.NAME` where a result becomes a part of a statement: a
macro of a warehouse may have the name of a built-in function.
"""

from collections.abc import Iterable
from pathlib import Path

import duckdb

from poolhouse.warehouse.sql_text import quoted_text

# After it, no setting can be changed.
LOCKING = "set lock_configuration = true"

# A database that is attached read-only is asked for its log, too.
LOG = ".wal"


def confine(
    connection: duckdb.DuckDBPyConnection,
    folders: Iterable[Path | str] = (),
    databases: Iterable[Path] = (),
) -> None:
    """Leave an engine the databases that it has open, and these folders and databases.

    Other files, the network and extensions are out of reach until the last connection is closed.
    """
    files = [path for file in databases for path in (file, file.with_name(f"{file.name}{LOG}"))]
    connection.execute(
        f"""
        set allowed_directories = {_listed(folders)};
        set allowed_paths = {_listed(files)};
        set enable_external_access = false;
        """
    )


def _listed(paths: Iterable[Path | str]) -> str:
    # Brackets would call `list_value`, of which a warehouse may have its own.
    return f"system.main.list_value({', '.join(quoted_text(str(path)) for path in paths)})"
