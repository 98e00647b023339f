"""Planning: how many topics to judge in full for a new run, to adjust its scores that well."""

from poolhouse.errors import UnknownCollectionError
from poolhouse.queries import QueryResult, run_query
from poolhouse.warehouse import Warehouse


def common_topics_needed(
    warehouse: Warehouse, collection: str, standard_error: float
) -> QueryResult:
    """Give the common topics that the pooled runs would have needed.

    A row for each level, measure and estimator.

    `standard_error` is that of the adjusted score, above 0. Errors: UnknownCollectionError;
    PoolhouseError where no run was pooled, or the standard error is none.
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
