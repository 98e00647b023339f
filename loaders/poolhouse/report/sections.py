"""The sections of a collection in a report: those of a judged one, and those before judging."""

from collections.abc import Mapping
from dataclasses import dataclass

SECTIONS = {
    "verdict": "May I reuse this collection?",
    "leaderboard": "Leaderboard",
    "pool": "The pool",
    "left_out": "What if an organization had not taken part?",
    "estimators": "How far are the estimators off?",
    "judges": "May another author of judgements replace people?",
    "experiments": "Experiments",
    "compared": "Two runs compared",
    "quality": "Quality of the data",
}

# The sections about a pool, which a collection has not that was judged otherwise.
OF_A_POOL = ("pool", "left_out", "estimators", "experiments")

# The figures of the sections of a judged collection.
FIGURES_OF = {
    "leaderboard": ("unjudged_and_scores",),
    "pool": ("judged_by_rank", "unique_relevant"),
    "left_out": ("left_out_scores", "left_out_places"),
    "estimators": ("estimator_errors", "estimates", "expected_relevance", "new_places"),
    "judges": ("author_verdicts", "author_scores", "filling_errors"),
}


@dataclass(frozen=True)
class Table:
    """A table that a page always shows: its caption, and the headings of its columns."""

    caption: str
    columns: Mapping[str, str]
    reading: str = ""


@dataclass(frozen=True)
class PlanningSection:
    """A section of a collection that is not judged: rows, with a figure, a table or both.

    `name` is the name of a figure, or of a file in `queries`.
    """

    name: str
    title: str
    table: Table | None = None


# A section is shown if it has rows.
PLANNING = (
    PlanningSection(
        "pool_sizes",
        "How many documents would be judged?",
        Table(
            "Pools by depth",
            {
                "depth": "Depth",
                "n_documents": "Documents",
                "documents_per_topic": "per topic",
                "least_documents": "least",
                "most_documents": "most",
                "n_of_one_organization": "of one organization",
                "n_of_one_run": "of one run",
            },
        ),
    ),
    PlanningSection(
        "pool_budgets",
        "What does a budget buy?",
        Table(
            "The deepest pool that a budget allows",
            {
                "budget": "Judgements",
                "depth": "Depth",
                "n_documents": "Documents",
                "next_n_documents": "of the next depth",
            },
            "All topics share the budget. Strategies other than a depth spend it wholly: "
            "`poolhouse pool plan` compares them, and `poolhouse pool make` writes the list.",
        ),
    ),
    PlanningSection("topic_pool_sizes", "Which topics cost most?"),
    PlanningSection(
        "run_overlaps",
        "Which runs bring the same documents?",
        Table(
            "Pairs of runs, at one depth",
            {
                "place": "Place",
                "overlap": "Overlap",
                "run_id": "Run",
                "other_run_id": "Other run",
                "organization": "Organization",
                "other_organization": "Other organization",
                "n_shared": "Documents of both",
            },
            "The overlap is the share of the documents of either run that both have. A run that "
            "overlaps much with another adds little to the pool. These are the ten pairs with the "
            "most overlap, and the ten pairs with the least.",
        ),
    ),
    PlanningSection("run_contributions", "Whose documents has nobody else?"),
)
