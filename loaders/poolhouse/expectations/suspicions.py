"""What makes a collection suspicious: not wrong, and worth a question before it is relied on.

All thresholds stand here and nowhere else, each with its reason; but for those by which a mart
flags its rows, which are a seed (`unique_contribution_limits`). The figures that they are compared
with are marts, so that a reader can look at what is behind a suspicion.
"""

from poolhouse.expectations.declaration import (
    Subject,
    Suite,
    SuiteName,
    between,
    is_true,
    value_between,
)

# A run that answers fewer of the judged topics is compared on other topics than the rest: leaving
# out one topic of fifty is an accident, a tenth of them is a choice.
LEAST_TOPIC_SHARE = 0.9

# Half of what the typical run returns a topic: measures without a cutoff (AP, nDCG) then miss what
# the run did not return, and the pool may have had less than the depth from it.
LEAST_DOCUMENT_SHARE = 0.5

# Topics in which all scores are the same are ranked by document id, which says nothing of the
# system. One in fifty is a topic with a single match; more is a run without scores.
HIGHEST_CONSTANT_SCORE_SHARE = 0.02

# Share of documents in the qrels just behind the pool's edge over that before it. Below a half,
# most of what a run returns there is unjudged.
LEAST_IN_QRELS_SHARE_KEPT = 0.5

# Documents in the qrels that no run retrieves. A few are judged by hand or by other campaigns; one
# in a hundred says that runs of the pool are not among those loaded.
HIGHEST_UNRETRIEVED_SHARE = 0.01

# Judged or relevant documents that no pooled run contributed within the pool depth. Every estimate
# is about what leaves the pool with an organization, and of TREC-8's relevant documents that is
# 0.6 % on average and 10 % at most. Where a twentieth is from elsewhere, the estimates are blind to
# more than most of them see.
HIGHEST_SHARE_OUTSIDE_POOL = 0.05

# Lines of a file that were set aside. One in a hundred is an accident in an old file; more is a
# file of another format.
HIGHEST_REJECTED_SHARE = 0.01

# Organizations with a single pooled run, for which level organization says no more than level run.
# Where they are the majority, the two levels are nearly the same experiment.
HIGHEST_SINGLE_RUN_SHARE = 0.5

# The inferred depth over the declared one: a few gaps move it by as much, as pooled runs may have.
DEPTH_RATIOS = (0.95, 1.05)

# Files with the share of their lines that was set aside.
_REJECTED = """
select
    collection_key,
    kind,
    name,
    n_rejected / n_lines as rejected_share
from ops.files
where n_lines > 0
"""

# Each document in the qrels beside whether a run retrieves it.
_RETRIEVED = """
select
    judgements.collection_id,
    judgements.topic_id,
    judgements.doc_id,
    unretrieved.doc_id is null as is_retrieved
from main.fct_judgements as judgements
left join main.audit_unretrieved_judgements as unretrieved
    on
        judgements.collection_id = unretrieved.collection_id
        and judgements.topic_id = unretrieved.topic_id
        and judgements.doc_id = unretrieved.doc_id
"""

# Each collection with the greater of its two shares.
_OUTSIDE_POOL = """
select
    collection_id,
    share_judged_outside_pool,
    share_relevant_outside_pool,
    greatest(share_judged_outside_pool, share_relevant_outside_pool) as share_outside_pool
from main.audit_collections
"""

# Organizations with pooled runs whose AP is known, and whether none of these is flagged.
_UNIQUE_RELEVANT = """
select
    collection_id,
    organization,
    count(*) filter (where is_flagged) as n_flagged_runs,
    max(loss_in_percent_of_full_score) filter (where is_above_floor)
        as largest_loss_in_percent_of_full_score,
    not bool_or(is_flagged) as loses_little
from main.fct_unique_relevant_losses
where
    is_pooled
    and measure = 'AP'
    and unjudged = 'nonrelevant'
group by
    collection_id,
    organization
"""

# Runs declared as pooled, with whether the qrels hold their documents down to the pool depth. Runs
# that are inferred are pooled because they do.
_DECLARED_RUNS = """
select
    runs.collection_id,
    runs.run_id,
    runs.n_gaps,
    runs.n_tolerated_gaps,
    runs.n_gaps <= runs.n_tolerated_gaps as is_covered
from main.audit_runs as runs
inner join main.dim_collections as collections on runs.collection_id = collections.collection_id
where
    runs.is_pooled
    and collections.pooled_runs_source = 'declared'
"""

_RUN = ("run_id",)

SUSPICIONS = Suite(
    SuiteName.SUSPICIONS,
    "What is suspicious",
    (
        Subject(
            "ops.files",
            ("kind", "name"),
            (
                between(
                    "rejected_share",
                    None,
                    HIGHEST_REJECTED_SHARE,
                    f"no file has more than {HIGHEST_REJECTED_SHARE:.0%} rejected lines",
                    "audit_rejected_lines has these lines and what is wrong with each: see whether "
                    "the file can be had, or converted, whole.",
                    name="few_lines_are_rejected",
                ),
            ),
            query=_REJECTED,
            by="collection_key",
        ),
        Subject(
            "main.audit_runs",
            _RUN,
            (
                between(
                    "topic_share",
                    LEAST_TOPIC_SHARE,
                    None,
                    f"every run answers at least {LEAST_TOPIC_SHARE:.0%} of the judged topics",
                    "Compare such a run by score_all_topics, or on the topics that it answers; "
                    "see whether a part of its file is missing.",
                    name="runs_answer_most_topics",
                ),
                between(
                    "document_share",
                    LEAST_DOCUMENT_SHARE,
                    None,
                    f"every run returns at least {LEAST_DOCUMENT_SHARE:.0%} as many documents a "
                    "topic as the median run",
                    "Prefer measures with a shallow cutoff for such a run; see whether its file "
                    "was cut.",
                    name="runs_return_enough_documents",
                ),
                between(
                    "constant_score_share",
                    None,
                    HIGHEST_CONSTANT_SCORE_SHARE,
                    f"no run gives all documents the same score in more than "
                    f"{HIGHEST_CONSTANT_SCORE_SHARE:.0%} of its topics",
                    "There the order is that of the document ids: see whether the run meant its "
                    "rank or its line order, and whether its scores were rounded.",
                    name="scores_tell_documents_apart",
                ),
            ),
        ),
        Subject(
            "main.audit_collections",
            ("collection_id",),
            (
                value_between(
                    "in_qrels_share_kept",
                    LEAST_IN_QRELS_SHARE_KEPT,
                    None,
                    "in the d ranks behind the pool depth d, at least "
                    f"{LEAST_IN_QRELS_SHARE_KEPT:.0%} as large a share of the pooled runs' "
                    "documents is in the qrels as before it",
                    "This is how pooling bias looks: compare runs that were not pooled at cutoffs "
                    "within the pool depth; fct_estimator_errors says how far off they may be.",
                    name="qrels_go_on_behind_the_pool_depth",
                    needs="no run is pooled, or the qrels hold nothing of the pooled runs, or "
                    "these return nothing behind the pool depth",
                ),
                value_between(
                    "depth_ratio",
                    *DEPTH_RATIOS,
                    "the qrels show the declared pool depth",
                    "See whether the declared depth is right, and whether the runs were pooled in "
                    "another order (load --pooling-order).",
                    name="qrels_bear_out_the_declared_depth",
                    needs="no pool depth is declared (load --depth), or the qrels do not end "
                    "within the list of any run that has a vote in it",
                ),
            ),
        ),
        Subject(
            "main.audit_collections",
            ("share_judged_outside_pool", "share_relevant_outside_pool"),
            (
                value_between(
                    "share_outside_pool",
                    None,
                    HIGHEST_SHARE_OUTSIDE_POOL,
                    "pooled runs contributed all but "
                    f"{HIGHEST_SHARE_OUTSIDE_POOL:.0%} of the judged and of the relevant documents",
                    "Every estimate is blind to the others: see whether pooled runs are missing, "
                    "were pooled deeper (load --depth), or documents were found in another way "
                    "(fct_judgements, n_contributing_runs = 0).",
                    name="judgements_are_of_the_pool",
                    needs="no run is pooled, or nothing is judged",
                ),
            ),
            query=_OUTSIDE_POOL,
        ),
        Subject(
            "main.audit_runs",
            ("run_id", "n_gaps", "n_tolerated_gaps"),
            (
                is_true(
                    "is_covered",
                    "the qrels hold the documents of every run declared as pooled down to the pool "
                    "depth, but for the tolerated gaps",
                    "See whether these runs were pooled at all, to which depth, and in which order "
                    "(load --depth, --pooling-order, column pooled of the descriptions).",
                    name="declared_runs_are_in_qrels_to_the_depth",
                    needs="no runs are declared as pooled",
                ),
            ),
            query=_DECLARED_RUNS,
        ),
        Subject(
            "main.fct_judgements",
            ("topic_id", "doc_id"),
            (
                is_true(
                    "is_retrieved",
                    f"a run retrieves all but {HIGHEST_UNRETRIEVED_SHARE:.0%} of the documents in "
                    "the qrels",
                    "Runs of the pool are not among those loaded, or documents were added that no "
                    "run returned: audit_unretrieved_judgements lists them.",
                    name="documents_in_qrels_are_retrieved",
                    needs="the qrels are empty",
                    mostly=1 - HIGHEST_UNRETRIEVED_SHARE,
                ),
            ),
            query=_RETRIEVED,
        ),
        Subject(
            "main.audit_grades",
            ("relevance", "n_lines"),
            (
                is_true(
                    "is_on_scale",
                    "grades lie between -2 and the declared highest grade",
                    "See whether the qrels are of this collection, or the declared grade is wrong "
                    "(load --highest-grade).",
                    name="grades_are_on_the_declared_scale",
                    needs="no highest grade is declared (load --highest-grade)",
                ),
            ),
        ),
        Subject(
            "main.audit_organizations",
            ("organization",),
            (
                is_true(
                    "has_several_pooled_runs",
                    f"at most {HIGHEST_SINGLE_RUN_SHARE:.0%} of the organizations in the pool have "
                    "a single run in it",
                    "Leaving out such an organization is leaving out its run. See whether the "
                    "descriptions name who submitted what.",
                    name="organizations_have_several_runs",
                    needs="no run is pooled",
                    mostly=1 - HIGHEST_SINGLE_RUN_SHARE,
                ),
            ),
        ),
        Subject(
            "main.fct_unique_relevant_losses",
            ("organization", "n_flagged_runs", "largest_loss_in_percent_of_full_score"),
            (
                is_true(
                    "loses_little",
                    "no pooled run loses much of its AP with the relevant documents that its "
                    "organization alone contributed (seed unique_contribution_limits)",
                    "Had such a run not been pooled, it would score as much lower: so will a new "
                    "run that finds what others do not. fct_unique_relevant_losses has the runs, "
                    "fair_run_scores what other subsets of the judgements make of them.",
                    name="runs_lose_little_with_unique_relevant",
                    needs="no run is pooled, or AP is not among the measures",
                ),
            ),
            query=_UNIQUE_RELEVANT,
        ),
    ),
)
