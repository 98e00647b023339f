{#-
    Who contributed a document, from its contributions (one row per contributing run). The sole
    contributor is what makes leaving one out a comparison of two columns: the documents that
    leave the pool with x are those whose sole contributor is x (design, idea 1).
-#}
{% macro contributor_columns() -%}
    cast(count(*) as integer) as n_runs,
    cast(count(distinct organization_key) as integer) as n_organizations,
    case when min(run_key) = max(run_key) then min(run_key) end as sole_run_key,
    case when min(organization_key) = max(organization_key) then min(organization_key) end
        as sole_organization_key
{%- endmacro %}

{#-
    Whether a document stays judged when `left_out` leaves the pool. `sole` is null for a document
    with several contributors or none, `left_out` where nothing is left out: it then stays.
-#}
{% macro stays_judged(sole, left_out) -%}
    coalesce({{ sole }} <> {{ left_out }}, true)
{%- endmacro %}
