"""The sections of a collection in a report, and the figures of each section."""

SECTIONS = {
    "verdict": "May I reuse this collection?",
    "leaderboard": "Leaderboard",
    "pool": "The pool",
    "left_out": "What if an organization had not taken part?",
    "estimators": "How far are the estimators off?",
    "experiments": "Experiments",
    "compared": "Two runs compared",
    "quality": "Quality of the data",
}

FIGURES_OF = {
    "leaderboard": ("unjudged_and_scores",),
    "pool": ("judged_by_rank", "unique_relevant"),
    "left_out": ("left_out_scores", "left_out_places"),
    "estimators": ("estimator_errors", "estimates", "expected_relevance", "new_places"),
}
