"""Values of options, in a module without imports, so that help texts are fast."""

from enum import StrEnum

# Formats of a table, and formats of a report by a command without a table.
DOCUMENT_FORMATS = ("markdown", "latex", "html")
FORMATS = ("table", "csv", "json", *DOCUMENT_FORMATS)
REPORT_FORMATS = ("text", "json")
GX = "gx"  # validation results of Great Expectations, as JSON
TREC_EVAL = "trec_eval"  # lines as trec_eval prints them
TOT = "tot"  # run, measure, topic, value: lines that autojudge-evaluate reads
IR_MEASURES = "ir_measures"  # lines as ir_measures prints them
PROVENANCE = "provenance"  # JSON of scores, and of what they were computed from
SCORE_FORMATS = (*FORMATS, TREC_EVAL, TOT, IR_MEASURES, PROVENANCE)
TREC_EVAL_VERSIONS = (9, 10)
OFFICIAL = "official"  # trec_eval's name for the measures that it prints by default
SPREADSHEET = "csv for a spreadsheet"  # csv in which no cell is a formula

# Of comparisons: the level of significance, and how often the randomization test draws sign flips,
# with this seed. Smucker et al. 2007 draw as many, so that a p-value of .05 has an error of .001.
LEVEL = 0.05
REPETITIONS = 100_000
SEED = 2009
DECIMALS = 3  # of scores in a paper's table

DEFAULT_WAREHOUSE = "poolhouse.duckdb"
# The warehouse of the demo, which is never the warehouse of a user's collections.
DEMO_WAREHOUSE = "poolhouse-demo.duckdb"

# The order of the documents of a run when the runs of a collection were pooled.
POOLING_ORDERS = ("score", "file", "rank")
# How a collection was judged, where its declaration says so.
JUDGINGS = ("pooled", "exhaustive", "sparse")

# What an author of judgements may be.
AUTHOR_KINDS = ("person", "crowd", "model")

# Where the name of a run is (loading/run_names.py).
RUN_NAMES = ("file", "folder", "tag")

LARGEST_DECLARED = 2**31 - 1  # declared values are stored in 32 bits

LAST_YEAR = 9999

# Bytes of text in one file. A run of MS MARCO's 6,980 topics has 0.3 GB; a small compressed file
# that grows beyond this is damaged or hostile.
DEFAULT_LIMIT = 1024**3

EXPERIMENTS = ("bias", "systems", "topics", "intervals")
# The share of a run's weight that may be judged neither before nor later (experiment `later`).
LARGEST_UNKNOWN = 0.05

# The figures of a collection, which poolhouse.figures.catalogue describes, and their formats.
FIGURES = (
    *("unjudged_and_scores", "judged_by_rank", "unique_relevant"),
    *("left_out_scores", "left_out_places"),
    *("estimator_errors", "estimates", "expected_relevance", "new_places", "two_runs"),
    *("author_verdicts", "author_scores", "filling_errors"),
    *("pool_sizes", "topic_pool_sizes", "run_contributions"),
)
FIGURE_FORMATS = ("svg", "pdf", "png")

# Tests of differences between runs, and corrections for their number. Tukey's test needs none.
TUKEY = "tukey"
RANDOMIZATION = "randomization"
TESTS = ("t", RANDOMIZATION, TUKEY)
NO_CORRECTION = "none"
CORRECTIONS = ("holm", "bonferroni", NO_CORRECTION)

# The measures of the leaderboards, one of which is the main measure of a collection.
LEADERBOARD_MEASURES = (
    *("AP", "P@5", "P@10", "P@20", "P@100", "nDCG@3", "nDCG@5", "nDCG@10", "nDCG@20", "RR"),
    *("RR@10", "Rprec", "Bpref", "infAP", "R@100", "R@1000"),
)

# The measures of `score` and of a report, where nobody names others.
USUAL_MEASURES = ("AP", "P@10", "nDCG@10", "RR", "Bpref", "R@1000")


class How(StrEnum):
    """The effect of the named values on a setting."""

    SET = "set"
    ADD = "add"
    REMOVE = "remove"
    DEFAULT = "default"
