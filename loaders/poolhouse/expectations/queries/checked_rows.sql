-- Measured figures of the collections at hand: rows of audits.fct_quality_figures where there is something to look at.
create or replace temp table checked_rows (
    collection_id varchar,
    figure varchar,
    object varchar,
    n_values bigint,
    n_unexpected bigint,
    value double,
    sample varchar
)
