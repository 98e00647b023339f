{#-
    Who contributed a document, from its contributions (one row per contributing run). With the sole contributor,
    leaving one out is a comparison of two columns: the documents that leave the pool with x are the documents whose
    sole contributor is x (design, idea 1). Where each organization has one run, no distinct count is needed, which
    would take three times as long.
-#}
{% macro contributor_columns(contributions, has_one_run_each=false) -%}
    {%- set run = contributions ~ '.run_key' -%}
    {%- set organization = contributions ~ '.organization_key' -%}
    cast(count(*) as integer) as n_runs,
    cast(count({{ '*' if has_one_run_each else 'distinct ' ~ organization }}) as integer) as n_organizations,
    case when min({{ run }}) = max({{ run }}) then min({{ run }}) end as sole_run_key,
    case when min({{ organization }}) = max({{ organization }}) then min({{ organization }}) end
        as sole_organization_key,
    -- where there are two contributors, the sum minus one of them is the other one
    min({{ organization }}) + max({{ organization }}) as organization_keys
{%- endmacro %}

{#-
    Whether a document stays judged when `left_out` leaves the pool. `sole` is null for a document with several
    contributors or none, and `left_out` is null where nothing is left out. The document stays in both cases.
-#}
{% macro stays_judged(sole, left_out) -%}
    coalesce({{ sole }} <> {{ left_out }}, true)
{%- endmacro %}

{#-
    The sole contributor of a document of a pool, and the sole contributor of a relevant document: the columns that
    decide with which run or organization the document leaves.
-#}
{% macro sole_columns(pool_documents) -%}
    {{ pool_documents }}.sole_run_key,
    {{ pool_documents }}.sole_organization_key,
    case when {{ pool_documents }}.is_relevant then {{ pool_documents }}.sole_organization_key end
        as sole_relevant_organization_key
{%- endmacro %}

{#-
    What leaves the qrels, as one key: a run, an organization, or the relevant documents of an organization; 0 where
    nothing does.
-#}
{% macro left_out_key(what, contributor) -%}
    3 * {{ contributor }} + {{ ['relevant', 'organization', 'run'].index(what) + 1 }}
{%- endmacro %}

{#- The keys with which a document leaves, with the columns above. -#}
{% macro keys_with_which_it_leaves(documents) -%}
    {{ left_out_key('run', documents ~ '.sole_run_key') }},
    {{ left_out_key('organization', documents ~ '.sole_organization_key') }},
    {{ left_out_key('relevant', documents ~ '.sole_relevant_organization_key') }}
{%- endmacro %}

{#- Whether a document stays in the qrels when what the key says leaves. -#}
{% macro stays_without(documents, left_out) -%}
    coalesce({{ left_out }}.left_out_key not in ({{ keys_with_which_it_leaves(documents) }}), true)
{%- endmacro %}

{#-
    Numbers of relevant and non-relevant documents that stay judged without a run, and without its organization.
    `relevant` and `non_relevant` say how many documents each row of `documents` stands for.
-#}
{% macro counts_without_columns(documents, relevant, non_relevant, run, organization) -%}
    {%- for level, left_out in [('run', run), ('organization', organization)] -%}
    {%- set stays = stays_judged(documents ~ '.sole_' ~ level ~ '_key', left_out) -%}
    cast(sum({{ relevant }}) filter (where {{ stays }}) as bigint) as n_relevant_without_{{ level }},
    cast(sum({{ non_relevant }}) filter (where {{ stays }}) as bigint) as n_non_relevant_without_{{ level }}{{ ',' if not loop.last }}
    {% endfor %}
{%- endmacro %}

{#-
    The contributor that leaves the pool with a run, or stays in it with a run: at level run the run, and at level
    organization its organization. With the prefix `sole_`, the sole contributor of a document.
-#}
{% macro contributor_at(level, rows, prefix='') -%}
    case {{ level }} when 'run' then {{ rows }}.{{ prefix }}run_key else {{ rows }}.{{ prefix }}organization_key end
{%- endmacro %}

{#-
    Whether something leaves the pool with a candidate at a level. A candidate that is not in the pool is an
    organization of its own: it has one level.
-#}
{% macro is_level_of(candidates) -%}
    ({{ candidates }}.is_member or levels.level = 'organization')
{%- endmacro %}
