{#-
    Who contributed a document, from its contributions (one row per contributing run). The sole
    contributor is what makes leaving one out a comparison of two columns: the documents that
    leave the pool with x are those whose sole contributor is x (design, idea 1). Where each organization
    has one run, there is nothing distinct to be counted, which takes three times as long.
-#}
{% macro contributor_columns(contributions, has_one_run_each=false) -%}
    {%- set run = contributions ~ '.run_key' -%}
    {%- set organization = contributions ~ '.organization_key' -%}
    cast(count(*) as integer) as n_runs,
    cast(count({{ '*' if has_one_run_each else 'distinct ' ~ organization }}) as integer) as n_organizations,
    case when min({{ run }}) = max({{ run }}) then min({{ run }}) end as sole_run_key,
    case when min({{ organization }}) = max({{ organization }}) then min({{ organization }}) end
        as sole_organization_key,
    -- where there are two, the other one of either is their sum less it
    min({{ organization }}) + max({{ organization }}) as organization_keys
{%- endmacro %}

{#-
    Whether a document stays judged when `left_out` leaves the pool. `sole` is null for a document
    with several contributors or none, `left_out` where nothing is left out: it then stays.
-#}
{% macro stays_judged(sole, left_out) -%}
    coalesce({{ sole }} <> {{ left_out }}, true)
{%- endmacro %}

{#-
    Who alone contributed a document of a pool, and who alone contributed a relevant one: the columns that tell
    with which thing left out it leaves.
-#}
{% macro sole_columns(pool_documents) -%}
    {{ pool_documents }}.sole_run_key,
    {{ pool_documents }}.sole_organization_key,
    case when {{ pool_documents }}.is_relevant then {{ pool_documents }}.sole_organization_key end
        as sole_relevant_organization_key
{%- endmacro %}

{#- Whether a document, with the columns above, stays in the qrels when what `left_out` names leaves. -#}
{% macro stays_without(documents, left_out) -%}
    {{ stays_judged(documents ~ '.sole_run_key', left_out ~ '.left_out_run_key') }}
    and {{ stays_judged(documents ~ '.sole_organization_key', left_out ~ '.left_out_organization_key') }}
    and {{ stays_judged(
        documents ~ '.sole_relevant_organization_key', left_out ~ '.left_out_relevant_organization_key'
    ) }}
{%- endmacro %}

{#-
    Relevant and non-relevant documents that stay judged without a run, and without its
    organization. `relevant` and `non_relevant` say how many each row of `documents` stands for.
-#}
{% macro counts_without_columns(documents, relevant, non_relevant, run, organization) -%}
    {%- for level, left_out in [('run', run), ('organization', organization)] -%}
    {%- set stays = stays_judged(documents ~ '.sole_' ~ level ~ '_key', left_out) -%}
    sum({{ relevant }}) filter (where {{ stays }}) as n_relevant_without_{{ level }},
    sum({{ non_relevant }}) filter (where {{ stays }}) as n_non_relevant_without_{{ level }}{{ ',' if not loop.last }}
    {% endfor %}
{%- endmacro %}

{#- Whether two rows leave out the same: a run, all of an organization, its relevant documents, or nothing. -#}
{% macro is_same_left_out(one, other) -%}
    {{ one }}.left_out_run_key is not distinct from {{ other }}.left_out_run_key
    and {{ one }}.left_out_organization_key is not distinct from {{ other }}.left_out_organization_key
    and {{ one }}.left_out_relevant_organization_key is not distinct from {{ other }}.left_out_relevant_organization_key
{%- endmacro %}

{#- Whether a row leaves out nothing. -#}
{% macro is_nothing_left_out(rows) -%}
    coalesce(
        {{ rows }}.left_out_run_key, {{ rows }}.left_out_organization_key, {{ rows }}.left_out_relevant_organization_key
    ) is null
{%- endmacro %}

{#-
    Who leaves the pool with a run, and stays in it with one: at level run the run, at level organization its
    organization. With the prefix `sole_`, who alone contributed a document.
-#}
{% macro contributor_at(level, rows, prefix='') -%}
    case {{ level }} when 'run' then {{ rows }}.{{ prefix }}run_key else {{ rows }}.{{ prefix }}organization_key end
{%- endmacro %}
