{#- Baillie et al. 2008: whether a comparison of two runs can be trusted (docs/decision_matrix.md). -#}

{#- The measurement depths of Tables 3 and 4 in the paper. -#}
{% macro measurement_depths() -%}
    [10, 30, 100, 500, 1000]
{%- endmacro %}

{#-
    The tests of a pair of runs, each after the F test of all runs. The one-way analysis with Bonferroni's
    correction decides the case. The others are the two-way analysis with Bonferroni's correction, and Tukey's
    honestly significant difference on the two-way analysis.
-#}
{% macro pair_tests() -%}
    {{ return(['one_way', 'two_way', 'tukey']) }}
{%- endmacro %}

{#- The name of a column for one of these tests. The column of the test that decides has the plain name. -#}
{% macro by_test(column, test) -%}
    {{ column }}{{ '' if test == 'one_way' else '_' ~ test }}
{%- endmacro %}

{#-
    The case of a pair (section 3.2). 1: neither differs. 2: only the assessment differs. 3: the performance
    differs, and the better run has no more assessed documents. 4: the performance differs, and the better run has
    significantly more assessed documents. Null where a difference could not be tested.
-#}
{% macro decision_case(performance_differs, assessment_differs, performance_difference, assessment_difference) -%}
    case
        when {{ performance_differs }} is null or {{ assessment_differs }} is null then null
        when not {{ performance_differs }} and not {{ assessment_differs }} then 1
        when not {{ performance_differs }} then 2
        when {{ assessment_differs }} and {{ performance_difference }} * {{ assessment_difference }} > 0 then 4
        else 3
    end
{%- endmacro %}

{#- Whether the requested measure has a cutoff. Only then is there an assessment at the same depth. -#}
{% macro has_asked_depth(measure) -%}
    (
        {{ may_have_cutoff(measure) }}
        and regexp_matches({{ measure }}, '@[1-9][0-9]*$')
    )
{%- endmacro %}

{#-
    The assessment at the depth of the requested measure. Any assessment for a measure without a depth, which is
    refused elsewhere.
-#}
{% macro asked_assessment(measure) -%}
    'A@' || coalesce(nullif(regexp_extract({{ measure }}, '@([1-9][0-9]*)$', 1), ''), '1')
{%- endmacro %}

{#-
    CTEs that test every pair of runs on the cells in the CTE int_layout_cells. The last of them is
    int_layout_pairs.
-#}
{% macro tested_pairs() -%}
    {{ steps(['int_layout_pairs'], given=['int_layout_cells']) }}
{%- endmacro %}

{#-
    One row per layout of performance and pair of runs, with its case by each test. It reads int_layout_pairs, and
    `asked_layouts`, whose rows name a layout of performance (layout_key) and the layout of its assessment.
-#}
{% macro decided_pairs() -%}
    select
        asked_layouts.*,
        performance.run_key as run_id,
        performance.other_run_key as other_run_id,
        performance.score,
        performance.other_score,
        {{ signed('performance.score_difference') }} as difference,
        assessment.score as assessment,
        assessment.other_score as other_assessment,
        {{ signed('assessment.score_difference') }} as assessment_difference
        {%- for test in pair_tests() %},
        performance.{{ by_test('differs', test) }} as {{ by_test('performance_differs', test) }},
        assessment.{{ by_test('differs', test) }} as {{ by_test('assessment_differs', test) }},
        {{ decision_case(
            'performance.' ~ by_test('differs', test),
            'assessment.' ~ by_test('differs', test),
            'performance.score_difference',
            'assessment.score_difference',
        ) }} as {{ by_test('decision_case', test) }}
        {%- endfor %}
    from asked_layouts
    inner join int_layout_pairs as performance using (layout_key)
    inner join int_layout_pairs as assessment
        on
            asked_layouts.assessment_layout_key = assessment.layout_key
            and performance.run_key = assessment.run_key
            and performance.other_run_key = assessment.other_run_key
{%- endmacro %}

{#- The columns of these rows that say how the pair was decided. -#}
{% macro decided_columns(rows) -%}
    {{ rows }}.run_id,
    {{ rows }}.other_run_id,
    {{ rows }}.score,
    {{ rows }}.other_score,
    {{ rows }}.difference,
    {{ rows }}.assessment,
    {{ rows }}.other_assessment,
    {{ rows }}.assessment_difference
    {%- for test in pair_tests() %},
    {{ rows }}.{{ by_test('performance_differs', test) }},
    {{ rows }}.{{ by_test('assessment_differs', test) }},
    {{ rows }}.{{ by_test('decision_case', test) }}
    {%- endfor %}
{%- endmacro %}

{#- The tests as rows, each with its position. -#}
{% macro pair_tests_as_rows() -%}
    (
        values
        {% for test in pair_tests() %}('{{ test }}'){{ ', ' if not loop.last }}{% endfor %}
    )
{%- endmacro %}

{#- The value of one of these columns for the test of the row. -#}
{% macro of_test(column, test) -%}
    case {{ test }}
        {%- for each in pair_tests() %}
            when '{{ each }}' then {{ by_test(column, each) }}
        {%- endfor %}
    end
{%- endmacro %}
