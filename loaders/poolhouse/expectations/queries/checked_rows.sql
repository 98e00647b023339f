-- Figures of the collections at hand, as in audits.fct_quality_figures.
create or replace temp table checked_rows (
    collection_id varchar,
    figure varchar,
    object varchar,
    n_values bigint,
    n_unexpected bigint,
    value double,
    sample varchar
)
