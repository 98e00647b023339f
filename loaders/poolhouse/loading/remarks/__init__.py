"""Remarks of a load: what does not fit together, or counts otherwise than one might expect."""

from poolhouse.loading.reading import Load
from poolhouse.loading.remarks.authors import on_authors
from poolhouse.loading.remarks.files import (
    on_depth,
    on_descriptions,
    on_missing_files,
    on_official_results,
    on_topic_attributes,
)
from poolhouse.loading.remarks.judgements import on_grades, on_mismatches

_ALL = (
    on_depth,
    on_descriptions,
    on_topic_attributes,
    on_missing_files,
    on_mismatches,
    on_grades,
    on_official_results,
    on_authors,
)


def remarks_on(load: Load) -> list[str]:
    """Return the remarks on a load whose files are all in the store."""
    return [remark for each in _ALL for remark in each(load)]
