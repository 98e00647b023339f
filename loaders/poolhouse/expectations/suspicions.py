"""Suspicions: facts about a collection that are no errors, but that its users should look into.

All thresholds are declared in this module, each with its reason. Only the rules of the verdict on a
collection are declared elsewhere, in the seed `verdict_rules`. The figures that are compared with
the thresholds are marts, so that a reader can look up the rows behind a suspicion.
"""

from poolhouse.expectations.declaration import (
    Subject,
    Suite,
    SuiteName,
    between,
    is_true,
)

# A run that answers fewer of the judged topics is compared on other topics than the other runs.
# Leaving out one topic of fifty is an accident; leaving out a tenth of the topics is a choice.
LEAST_TOPIC_SHARE = 0.9

# Half the number of documents that the typical run returns for a topic. Below it, measures without
# a cutoff (AP, nDCG) miss the documents that the run did not return, and the pool may have got
# fewer documents from the run than the pool depth.
LEAST_DOCUMENT_SHARE = 0.5

# Where all scores of a topic are the same, the topic is ranked by document id, which says nothing
# about the system. One topic in fifty may have a single match; more are a run without scores.
HIGHEST_CONSTANT_SCORE_SHARE = 0.02

# Where the ranks of a file contradict its scores, the scores may be distances; where the first
# document is the topic, queries are documents. One topic in ten may be an accident.
HIGHEST_ODD_TOPIC_SHARE = 0.1

# Share of documents in the qrels just behind the pool depth, divided by the share before the pool
# depth. Below a half, most documents that a run returns behind the pool depth are unjudged.
LEAST_IN_QRELS_SHARE_KEPT = 0.5

# Documents in the qrels that no run retrieves. A few are judged by hand or by other campaigns; more
# than one in a hundred says that some runs of the pool are not loaded.
HIGHEST_UNRETRIEVED_SHARE = 0.01

# Share of the lines of a file that were set aside. One in a hundred is an accident in an old file;
# more of them mean that the file has another format.
HIGHEST_REJECTED_SHARE = 0.01

# Share of organizations with a single pooled run. For such an organization, level organization says
# no more than level run. If they are the majority, the two levels are nearly the same experiment.
HIGHEST_SINGLE_RUN_SHARE = 0.5

# Bounds of the inferred depth divided by the declared depth. A few gaps, which pooled runs may
# have, change the ratio by this much.
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

# Each document in the qrels, and whether a run retrieves it.
_RETRIEVED = """
select
    judgements.collection_id,
    judgements.topic_id,
    judgements.doc_id,
    unretrieved.doc_id is null as is_retrieved
from main.fct_judgements as judgements
left join audits.audit_unretrieved_judgements as unretrieved
    on
        judgements.collection_id = unretrieved.collection_id
        and judgements.topic_id = unretrieved.topic_id
        and judgements.doc_id = unretrieved.doc_id
"""

# Each collection, with whether the greater of its two shares is as small as the verdict asks, and
# whether it is reusable, where there is a verdict.
_COLLECTIONS = """
select
    collections.*,
    greatest(collections.share_judged_outside_pool, collections.share_relevant_outside_pool)
    <= 1 - rules.passes_at / 100 as is_of_the_pool,
    case
        when collections.verdict not in ('cannot be told', 'not judged yet')
            then collections.verdict <> 'not reusable'
    end as is_reusable
from main.audit_collections as collections
inner join seeds.verdict_rules as rules on rules.rule_id = 'pool_explains'
"""

# Each collection with a judged topic, whether all of its topics are judged, and whether some of the
# judged documents are relevant, and some not.
_JUDGED_TOPICS = """
select
    collection_id,
    topics_caveat,
    n_judgements,
    n_relevant,
    topics_caveat is null as is_judged_on_all_topics,
    n_relevant between 1 and n_judgements - 1 as has_both_kinds
from main.dim_collections
where is_judged
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

# Each run. Where it was declared as pooled, is_covered says whether the qrels hold its documents
# down to the pool depth. Runs that are inferred are pooled because they do.
_RUNS = """
select
    runs.*,
    case when collections.is_judged then runs.mismatch is null end as meets_qrels,
    runs.same_as_run_id is null as is_unlike_others,
    case
        when runs.is_pooled and collections.pooled_runs_source = 'declared'
            then runs.n_gaps <= runs.n_tolerated_gaps
    end as is_covered
from main.audit_runs as runs
inner join main.dim_collections as collections on runs.collection_id = collections.collection_id
"""

# Each label of the official results, and whether its figures are those of a reading, all of them.
_OFFICIAL_RESULTS = """
select
    *,
    is_explained and n_not_explained = 0 as is_met
from audits.audit_official_results
"""

SUSPICIONS = Suite(
    SuiteName.SUSPICIONS,
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
                    "audits.audit_rejected_lines has these lines and what is wrong with each. "
                    "Check whether a complete copy of the file exists, or whether it can be "
                    "converted.",
                    name="few_lines_are_rejected",
                ),
            ),
            query=_REJECTED,
            by="collection_key",
        ),
        Subject(
            "main.audit_runs",
            ("run_id",),
            (
                between(
                    "topic_share",
                    LEAST_TOPIC_SHARE,
                    None,
                    f"every run answers at least {LEAST_TOPIC_SHARE:.0%} of the judged topics",
                    "Compare such a run by score_all_topics, or on the topics that it answers. "
                    "Check whether a part of its file is missing.",
                    name="runs_answer_most_topics",
                ),
                between(
                    "document_share",
                    LEAST_DOCUMENT_SHARE,
                    None,
                    f"every run returns at least {LEAST_DOCUMENT_SHARE:.0%} as many documents a "
                    "topic as the median run",
                    "Prefer measures with a shallow cutoff for such a run. Check whether its file "
                    "was cut.",
                    name="runs_return_enough_documents",
                ),
                between(
                    "constant_score_share",
                    None,
                    HIGHEST_CONSTANT_SCORE_SHARE,
                    f"no run gives all documents the same score in more than "
                    f"{HIGHEST_CONSTANT_SCORE_SHARE:.0%} of its topics",
                    "In these topics the documents are ordered by document id. Check whether the "
                    "run meant its rank or its line order, and whether its scores were rounded.",
                    name="scores_tell_documents_apart",
                ),
                is_true(
                    "meets_qrels",
                    "every run answers a judged topic and returns a document of the qrels",
                    "Check whether the run and the qrels are of the same collection and version, "
                    "and whether they spell ids alike. Passages may have ids of their own.",
                    name="runs_meet_the_qrels",
                    needs="nothing is judged",
                    named_by=("run_id", "mismatch"),
                ),
                between(
                    "contradicted_share",
                    None,
                    HIGHEST_ODD_TOPIC_SHARE,
                    "the ranks in a run's file contradict its scores in at most "
                    f"{HIGHEST_ODD_TOPIC_SHARE:.0%} of its topics",
                    "Scores count. Check whether they are distances, for which less is better, or "
                    "whether the file holds several lists one behind the other.",
                    name="ranks_agree_with_scores",
                ),
                between(
                    "own_topic_share",
                    None,
                    HIGHEST_ODD_TOPIC_SHARE,
                    "a run's first document has the id of the topic in at most "
                    f"{HIGHEST_ODD_TOPIC_SHARE:.0%} of its topics",
                    "Where queries are documents of the collection, a run finds the query itself. "
                    "Check whether such documents should be removed before scoring.",
                    name="first_documents_are_not_the_topic",
                ),
                is_true(
                    "is_unlike_others",
                    "no two runs have the same rankings on all judged topics",
                    "Check whether a file was submitted twice, or whether it has the wrong name.",
                    name="runs_differ",
                    needs="no run is loaded",
                    named_by=("run_id", "same_as_run_id"),
                ),
                is_true(
                    "is_covered",
                    "the qrels hold the documents of every run declared as pooled down to the pool "
                    "depth, except for the tolerated gaps",
                    "Check whether these runs were pooled, to which depth, and in which order "
                    "(load --depth, --pooling-order, column pooled of the descriptions).",
                    name="declared_runs_are_in_qrels_to_the_depth",
                    needs="no runs are declared as pooled",
                    named_by=("run_id", "n_gaps", "n_tolerated_gaps"),
                ),
            ),
            query=_RUNS,
        ),
        Subject(
            "main.audit_collections",
            ("collection_id",),
            (
                between(
                    "in_qrels_share_kept",
                    LEAST_IN_QRELS_SHARE_KEPT,
                    None,
                    "the share of the pooled runs' documents that is in the qrels is, in the d "
                    "ranks behind the pool depth d, at least "
                    f"{LEAST_IN_QRELS_SHARE_KEPT:.0%} of the share in the first d ranks",
                    "A lower share is a sign of pooling bias. Compare runs that were not pooled at "
                    "cutoffs within the pool depth; fct_estimator_errors says how far off their "
                    "scores may be.",
                    name="qrels_go_on_behind_the_pool_depth",
                    needs="no run is pooled, or the qrels hold nothing of the pooled runs, or "
                    "these return nothing behind the pool depth",
                    looks_at_one_value=True,
                ),
                between(
                    "depth_ratio",
                    *DEPTH_RATIOS,
                    "the qrels show the declared pool depth",
                    "Check whether the declared depth is right, and whether the runs were pooled "
                    "in another order (load --pooling-order).",
                    name="qrels_bear_out_the_declared_depth",
                    needs="no pool depth is declared (load --depth), or the qrels do not end "
                    "within the list of any run that has a vote in it",
                    looks_at_one_value=True,
                ),
                is_true(
                    "is_of_the_pool",
                    "pooled runs contributed as many of the judged and of the relevant documents "
                    "as rule pool_explains of the verdict asks for",
                    "Every estimate is blind to the documents that no pooled run "
                    "contributed. Check "
                    "whether pooled runs are missing, whether runs were pooled deeper (load "
                    "--depth), or whether documents were found in another way (fct_judgements, "
                    "n_contributing_runs = 0).",
                    name="judgements_are_of_the_pool",
                    needs="no run is pooled, or nothing is judged",
                    named_by=("share_judged_outside_pool", "share_relevant_outside_pool"),
                ),
                is_true(
                    "is_reusable",
                    "the collection can be used for runs outside its pool, with care or without",
                    "audit_verdicts has every rule with its figure and its reason. Judge more "
                    "documents of runs outside the pool (load --common-topics), or compare pooled "
                    "runs only.",
                    name="collections_are_reusable",
                    needs="nothing is judged, or an essential figure of the verdict is not known",
                    named_by=("verdict", "verdict_reasons"),
                ),
            ),
            query=_COLLECTIONS,
        ),
        Subject(
            "main.dim_collections",
            ("topics_caveat",),
            (
                is_true(
                    "is_judged_on_all_topics",
                    "every topic has judgements",
                    "All figures are about the judged topics. dim_topics has the others "
                    "(not is_judged). If the qrels are the first part of a file, the last topic in "
                    "them may be incomplete; load the whole file when it is there.",
                    name="all_topics_have_judgements",
                    needs="nothing is judged",
                ),
                is_true(
                    "has_both_kinds",
                    "some of the judged documents are relevant, and some are not",
                    "Without a relevant document, every score is 0. Without any other, the labels "
                    "are no pool: Success, RR and R@k tell where the known documents are, and "
                    "measures of judged documents alone (Bpref, infAP, condensed scores) only "
                    "what is retrieved. Check whether the qrels are whole, whose they are, and "
                    "from which grade on a document is relevant (load --threshold).",
                    name="judgements_are_of_both_kinds",
                    needs="nothing is judged",
                    named_by=("n_judgements", "n_relevant"),
                ),
            ),
            query=_JUDGED_TOPICS,
        ),
        Subject(
            "main.fct_judgements",
            ("topic_id", "doc_id"),
            (
                is_true(
                    "is_retrieved",
                    f"a run retrieves all but {HIGHEST_UNRETRIEVED_SHARE:.0%} of the documents in "
                    "the qrels",
                    "Some runs of the pool are not loaded, or documents were judged that no run "
                    "returned. audits.audit_unretrieved_judgements lists the documents.",
                    name="documents_in_qrels_are_retrieved",
                    needs="the qrels are empty",
                    mostly=1 - HIGHEST_UNRETRIEVED_SHARE,
                ),
            ),
            query=_RETRIEVED,
        ),
        Subject(
            "audits.audit_grades",
            ("relevance", "n_lines"),
            (
                is_true(
                    "is_on_scale",
                    "grades lie between -2 and the declared highest grade",
                    "Check whether the qrels belong to this collection, and whether the declared "
                    "grade is right (load --highest-grade).",
                    name="grades_are_on_the_declared_scale",
                    needs="no highest grade is declared (load --highest-grade)",
                ),
            ),
        ),
        Subject(
            "audits.audit_official_results",
            ("results_title", "label"),
            (
                is_true(
                    "is_met",
                    "the official results are met to the last decimal, by a reading of each label",
                    "audits.audit_official_results says in words what was found about each label. "
                    "Check whether the qrels and the runs are those of the official results.",
                    name="official_results_are_explained",
                    needs="no official results of a loaded run (load --official-results)",
                    named_by=("results_title", "label", "n_not_explained"),
                ),
            ),
            query=_OFFICIAL_RESULTS,
        ),
        Subject(
            "audits.audit_organizations",
            ("organization",),
            (
                is_true(
                    "has_several_pooled_runs",
                    f"at most {HIGHEST_SINGLE_RUN_SHARE:.0%} of the organizations in the pool have "
                    "a single run in it",
                    "Leaving out such an organization is the same as leaving out its run. Check "
                    "whether the descriptions name the organization of each run.",
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
                    "organization alone contributed (rule largest_unique_change of the verdict)",
                    "Had such a run not been pooled, its score would be lower by this loss. A new "
                    "run that finds documents that no other run finds will lose in the same way. "
                    "fct_unique_relevant_losses has the runs; fair_run_scores has their scores by "
                    "other subsets of the judgements.",
                    name="runs_lose_little_with_unique_relevant",
                    needs="no run is pooled, or AP is not among the measures",
                ),
            ),
            query=_UNIQUE_RELEVANT,
        ),
    ),
)
