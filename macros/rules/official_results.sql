{#-
    Official results: which readings of a published label are tried, and when a reading explains a label. A reading is
    a measure with a cutoff, gains and a lowest relevant grade, and says how trec_eval was run.
-#}

{#-
    The measures that are tried: those that trec_eval prints, at its cutoffs. A label is only read as a measure of its
    own family: AP, say, at any cutoff.
-#}
{% macro official_candidates() %}
    {%- set candidates = [
        'AP', 'GMAP', 'Rprec', 'RR', 'Bpref', 'infAP', 'nDCG', 'IPrecAvg', 'SetP', 'SetR', 'SetF', 'SetAP',
        'NumRet', 'NumRel', 'NumRelRet', 'Success@1',
    ] -%}
    {%- for cutoff in [5, 10, 15, 20, 30, 100, 200, 500, 1000] -%}
        {%- for name in ['P', 'R', 'AP', 'nDCG', 'RelP', 'Success'] -%}
            {%- do candidates.append(name ~ '@' ~ cutoff) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for tenth in range(11) -%}
        {%- do candidates.append('IPrec@' ~ tenth / 10) -%}
    {%- endfor -%}
    {{ return(candidates) }}
{% endmacro %}

{#-
    A reading explains a label if it meets at least this share of the figures of loaded runs. A few runs may have been
    corrected after the results were published.
-#}
{% macro least_share_met() -%}
    0.95
{%- endmacro %}

{#-
    A reading that was searched for must also meet at least as many different values. Two figures of four decimals
    may agree with one of a hundred readings by chance, if they are fractions of few topics. Three do not.
-#}
{% macro least_values_met() -%}
    3
{%- endmacro %}

{#- Whether a recomputed score is the published figure to its last decimal. A half may be rounded either way. -#}
{% macro is_met(score, published, n_decimals) -%}
    coalesce(abs({{ score }} - {{ published }}) <= 0.5 * pow(10, -{{ n_decimals }}) + 1e-9, false)
{%- endmacro %}

{#- The gain of a grade by a reading: the grade, 2^grade - 1, 1 from a level on, or the grade from a level on. -#}
{% macro gain_by_reading(grade, readings) -%}
    case {{ readings }}.gains
                when 'exponential' then pow(2, {{ grade }}) - 1
                when 'binary' then cast({{ grade }} >= {{ readings }}.level as integer)
                when 'kept' then case when {{ grade }} >= {{ readings }}.level then {{ grade }} else 0 end
                else {{ grade }}
            end
{%- endmacro %}

{#- Whether a document is relevant by a reading; null for a document that is not judged. -#}
{% macro relevance_by_reading(documents, readings) -%}
    case
                when {{ readings }}.level is null or {{ documents }}.is_relevant is null
                    then {{ documents }}.is_relevant
                else {{ documents }}.grade >= {{ readings }}.level
            end
{%- endmacro %}

{#- A measure of readings in ir_measures' notation, with its gains or its level. -#}
{% macro notation_of_reading(measure, parameters) -%}
    case
        when {{ parameters }} is null then {{ measure }}
        else regexp_replace({{ measure }}, '^([A-Za-z]+)', '\1(' || {{ parameters }} || ')')
    end
{%- endmacro %}

{#-
    The CTE `label_measures`: one row per label with a number, and the measure that it means; null where it means none. It
    reads `published` and `measures`.
-#}
{% macro measures_of_labels() -%}
-- one row per label
labels as (

    select distinct label
    from published
    where value is not null

),

-- the same labels with the measure
label_measures as (

    select
        labels.label,
        {{ meant_measure('labels.label') }} as measure
    from labels
    cross join measures
    group by labels.label

)
{%- endmacro %}
