"""Values of options, in a module without imports, so that help texts are fast."""

from enum import StrEnum

# Formats of a table, and formats of a report by a command without a table.
DOCUMENT_FORMATS = ("markdown", "latex")
FORMATS = ("table", "csv", "json", *DOCUMENT_FORMATS)
REPORT_FORMATS = ("text", "json")
TREC_EVAL = "trec_eval"  # lines as trec_eval prints them
SPREADSHEET = "csv for a spreadsheet"  # csv in which no cell is a formula

EXPORT_FORMATS = ("duckdb", "parquet", "csv", "trec")

DEFAULT_WAREHOUSE = "poolhouse.duckdb"
# The warehouse of the demo, which is never the warehouse of a user's collections.
DEMO_WAREHOUSE = "poolhouse-demo.duckdb"

# The order of the documents of a run when the runs of a collection were pooled.
POOLING_ORDERS = ("score", "file", "rank")

LARGEST_DECLARED = 2**31 - 1  # declared values are stored in 32 bits

LAST_YEAR = 9999

# Bytes of text in one file. A run of MS MARCO's 6,980 topics has 0.3 GB; a small compressed file
# that grows beyond this is damaged or hostile.
DEFAULT_LIMIT = 1024**3

EXPERIMENTS = ("bias", "systems", "topics", "intervals")

# The figures of a collection, which poolhouse.figures.catalogue describes, and their formats.
FIGURES = (
    *("unjudged_and_scores", "judged_by_rank", "unique_relevant"),
    *("left_out_scores", "left_out_places"),
    *("estimator_errors", "estimates", "new_places", "two_runs"),
)
FIGURE_FORMATS = ("svg", "pdf", "png")

# The measures of the leaderboards, one of which is the main measure of a collection.
LEADERBOARD_MEASURES = (
    *("AP", "P@5", "P@10", "P@20", "P@100", "nDCG@10", "nDCG@20"),
    *("RR", "Rprec", "Bpref", "infAP", "R@100", "R@1000"),
)

# The default measures of `score`.
USUAL_MEASURES = ("AP", "P@10", "nDCG@10", "RR", "Bpref", "R@1000")


class How(StrEnum):
    """The effect of the named values on a setting."""

    SET = "set"
    ADD = "add"
    REMOVE = "remove"
    DEFAULT = "default"
