"""Values that options take, in a module that imports nothing: a help text names them at once."""

from enum import StrEnum

# How a table is printed, and what a command did that prints none.
DOCUMENT_FORMATS = ("markdown", "latex")
FORMATS = ("table", "csv", "json", *DOCUMENT_FORMATS)
REPORT_FORMATS = ("text", "json")
TREC_EVAL = "trec_eval"  # lines as that prints them
SPREADSHEET = "csv for a spreadsheet"  # csv in which no cell is a formula

EXPORT_FORMATS = ("duckdb", "parquet", "csv", "trec")

DEFAULT_WAREHOUSE = "poolhouse.duckdb"
# The demo's own: it never builds beside a user's collections.
DEMO_WAREHOUSE = "poolhouse-demo.duckdb"

# What ordered the runs of a collection when they were pooled.
POOLING_ORDERS = ("score", "file", "rank")

LARGEST_DECLARED = 2**31 - 1  # what is declared is kept in 32 bits

LAST_YEAR = 9999

# Bytes of text in one file. A run of MS MARCO's 6,980 topics has 0.3 GB; a small compressed file
# that grows beyond this is damaged or hostile.
DEFAULT_LIMIT = 1024**3

EXPERIMENTS = ("bias", "systems", "topics", "intervals")

# The figures of a collection (poolhouse.figures.catalogue has what each shows), and their formats.
FIGURES = (
    *("unjudged_and_scores", "judged_by_rank", "unique_relevant"),
    *("left_out_scores", "left_out_places"),
    *("estimator_errors", "estimates", "new_places", "two_runs"),
)
FIGURE_FORMATS = ("svg", "pdf", "png")

# What `score` tells unless it is asked for others.
USUAL_MEASURES = ("AP", "P@10", "nDCG@10", "RR", "Bpref", "R@1000")


class How(StrEnum):
    """What a setting makes of the values that are named."""

    SET = "set"
    ADD = "add"
    REMOVE = "remove"
    DEFAULT = "default"
