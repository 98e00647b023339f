"""The number of topics to judge in full for a new run, to reach a standard error."""

from poolhouse.errors import check_known
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query

# Printed with every such number. Section 3 of the paper: "in inferring from systems to systems, it
# dubiously assumes that the systems have been randomly sampled from the same population"; section
# 3.1: a new system is one that somebody "consciously tried to make better than the existing ones".
DOUBT = (
    "these numbers are learnt from the pooled runs, as if the new run were one of them: Webber & "
    "Park 2009 (section 3.1) call inferring from systems to a new system doubtful, the more so the "
    "more the new system differs; once a few topics are judged for the new run, adjust "
    "--common-topics tells its own standard error"
)


def common_topics_needed(
    warehouse: Warehouse, collection: str, standard_error: float
) -> QueryResult:
    """Return the number of common topics that the pooled runs would have needed.

    The result has a row for each level, measure and estimator. `standard_error` is the standard
    error of the adjusted score, in units of the measure, above 0. Raise UnknownCollectionError for
    an unknown collection. Raise PoolhouseError where the collection is not judged, no run was
    pooled, or the standard error is not valid.
    """
    built = run_query(warehouse, "select collection_id from dim_collections order by all").rows
    known = [str(name) for (name,) in built]
    check_known([collection], known)
    return run_query(
        warehouse,
        """
        select needed.* exclude (collection_id, standard_error)
        from planning.common_topics_needed($collection, $standard_error) as needed
        inner join dim_estimators as estimators using (estimator)
        inner join dim_measures as measures on needed.measure = measures.measure
        order by needed.level, measures.position, estimators.position
        """,
        {"collection": collection, "standard_error": standard_error},
    )
