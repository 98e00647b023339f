"""Planning: how many topics to judge in full for a new run, to adjust its scores that well."""

from poolhouse.errors import UnknownCollectionError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query

# Said with every plan. Section 3 of the paper: "in inferring from systems to systems, it dubiously
# assumes that the systems have been randomly sampled from the same population"; section 3.1: a new
# system is one that somebody "consciously tried to make better than the existing ones".
DOUBT = (
    "learnt from the pooled runs, as if the new run were another of them: Webber & Park 2009 "
    "(section 3.1) call inferring from systems to a new one doubtful, the more so the more it "
    "differs; once a few topics are judged for it, adjust --common-topics tells its own standard "
    "error"
)


def common_topics_needed(
    warehouse: Warehouse, collection: str, standard_error: float
) -> QueryResult:
    """Return the common topics that the pooled runs would have needed.

    A row for each level, measure and estimator.

    `standard_error` is that of the adjusted score, above 0. Raise UnknownCollectionError;
    PoolhouseError where the collection is not judged or no run was pooled, or the standard error
    is none.
    """
    built = run_query(warehouse, "select collection_id from dim_collections order by all").rows
    known = [str(name) for (name,) in built]
    if collection not in known:
        raise UnknownCollectionError(collection, known)
    return run_query(
        warehouse,
        """
        select needed.* exclude (collection_id, standard_error)
        from common_topics_needed($collection, $standard_error) as needed
        inner join dim_estimators as estimators using (estimator)
        order by needed.level, needed.measure, estimators.position
        """,
        {"collection": collection, "standard_error": standard_error},
    )
