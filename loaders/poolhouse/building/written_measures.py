"""The notation of a measure that a text means, without a warehouse."""

import duckdb

from poolhouse.building.macros import macros_of
from poolhouse.building.project import project_folder
from poolhouse.option_values import TREC_EVAL_VERSIONS

_WRITTEN = "select {{ meant_measure('$asked') }} from read_csv($seed, all_varchar = true)"


def written_measure(asked: str) -> str | None:
    """Write a measure as ir_measures does, from any notation that `score` knows, or return None."""
    query = macros_of(TREC_EVAL_VERSIONS[-1]).from_string(_WRITTEN).render()
    seed = str(project_folder() / "seeds" / "measures.csv")
    with duckdb.connect() as connection:
        [(written,)] = connection.execute(query, {"asked": asked, "seed": seed}).fetchall()
    return str(written) if written else None
