"""A script of a user, which the type checker reads and nothing runs.

With warn_unused_ignores, the checker also tells where it no longer finds the two faults.
"""

import ir_measures
import pandas as pd
import polars as pl

import poolhouse

w: poolhouse.OpenWarehouse = poolhouse.open("w.duckdb")
board: pl.DataFrame = w.leaderboard("c")
adjusted: pl.DataFrame = w.adjust(pd.DataFrame({"qid": ["1"]}), "c")
w.adjust({"1": {"d": 1.0}}, "c", {"1": {"d": 1}})
w.compare("a", ("b", board), collection="c", measures=[ir_measures.AP, "P@10"])
built: tuple[str, ...] = w.build("c").built
w.load("c", {"a": board}, "qrels.txt", depth=100)
w.adjust(42, "c")  # type: ignore[arg-type]  # no run
w.load("c", deptj=100)  # type: ignore[call-arg]  # no such keyword
