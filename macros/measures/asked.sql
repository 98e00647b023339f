{#-
    A measure that an argument names after the marts are built. The engine parses the notation, and every number in
    it is an expression. Because the argument is written in the query, the engine folds these expressions and drops
    all measures except one before it reads a row.
-#}

{% macro asked_name(measure) -%}
    regexp_extract({{ measure }}, '^[A-Za-z][A-Za-z0-9]*')
{%- endmacro %}

{#- The cutoff or recall level; without one, a rank that no ranking reaches. -#}
{% macro asked_cutoff(measure) -%}
    cast(coalesce(nullif(regexp_extract({{ measure }}, '@([0-9.]+)$', 1), ''), '2147483647') as double)
{%- endmacro %}

{#- A parameter; null where it is not written and has no default. -#}
{% macro asked_parameter(measure, parameter, default=none) -%}
    {%- set kind = parameter_kind(parameter) -%}
    {%- set written = 'regexp_extract(' ~ measure ~ ", '[(,]" ~ parameter ~ "=([{].*[}]|[^,()]+)', 1)" -%}
    {#- The engine reads `{1=3.5}` as a map, and not `{1:3.5}`. -#}
    {%- set value = 'replace(' ~ written ~ ", ':', '=')" if kind.type.startswith('map') else written -%}
    cast(
        coalesce(nullif({{ value }}, ''), {{ 'null' if default is none else "'" ~ default ~ "'" }}) as {{ kind.type }}
    )
{%- endmacro %}

{#- Whether the requested measure has a parameter twice, or a gain of the same grade. -#}
{% macro repeats_parameter(measure) -%}
    {%- set names = 'regexp_extract_all(' ~ measure ~ ", '[(,{]([A-Za-z0-9_]+)[=:]', 1)" -%}
    len({{ names }}) > len(list_distinct({{ names }}))
{%- endmacro %}

{#- The aggregate of the requested measure, among the measures that read these rows. -#}
{% macro asked_aggregate(measure, rows) -%}
    case {{ asked_name(measure) }}
        {%- for signature in measure_signatures().values() if signature.rows == rows %}
            {%- set parameters = {} -%}
            {%- for parameter, default in signature.parameters.items()
                if parameter != 'rel' and not parameter_kind(parameter).on_demand -%}
                {%- do parameters.update({parameter: asked_parameter(measure, parameter, default)}) -%}
            {%- endfor %}
            when '{{ signature.name }}'
                then cast({{ aggregate(
                    signature.name,
                    none if signature.cutoff == 'none' else asked_cutoff(measure),
                    parameters,
                    'ideal_dcg',
                    gain='gain',
                    has_level=asked_parameter(measure, 'rel') ~ ' is not null'
                ) }} as double)
        {%- endfor %}
    end
{%- endmacro %}

{#- Whether the requested measure is one that reads these rows. -#}
{% macro is_asked_of(measure, rows) -%}
    coalesce(
        {{ asked_name(measure) }} in (
            {%- for signature in measure_signatures().values() if signature.rows == rows -%}
                '{{ signature.name }}'{{ ', ' if not loop.last }}
            {%- endfor -%}
        ),
        false
    )
{%- endmacro %}

{#-
    A message that says what is wrong with the notation; null where nothing is wrong. It is a query of
    `notations` (int_measure_notations), so that it is short where the engine stores it.
-#}
{% macro problem_with_asked(measure) -%}
    (
            select
                case
                    -- trec_eval's ways to name several measures at once
                    when {{ measure }} in ('official', 'all_trec', 'set')
                        then {{ measure }} || ' stands for several measures: name each of them, such as AP or P@10'
                    when regexp_matches({{ measure }}, '^[A-Za-z0-9_]+[._][0-9.]+,')
                        then {{ measure }} || ' has several cutoffs: name a measure for each, such as P@5 and P@10'
                    {%- for needed, names in measures_that_need_more().items() %}
                    when regexp_matches({{ measure }}, '{{ names }}')
                        then {{ measure }} || ' {{ needed }}'
                    {%- endfor %}
                    when {{ grade_asked(measure, 'min_rel') }} >= {{ grade_asked(measure, 'max_rel') }}
                        then {{ measure }} || ' has a min_rel that is not below its max_rel'
                    when bool_or(notations.name = {{ asked_name(measure) }})
                        then max({{ measure }} || ' is not written as ' || notations.usage) filter (
                            where notations.name = {{ asked_name(measure) }}
                            and (
                                not regexp_full_match({{ measure }}, notations.pattern)
                                or {{ repeats_parameter(measure) }}
                            )
                        )
                    else coalesce(
                        max({{ measure }} || ' is written ' || notations.usage) filter (
                            where lower(notations.name) = lower({{ name_for_alias(measure) }})
                        ),
                        coalesce(nullif({{ measure }}, ''), 'an empty name')
                        || ' is not a measure that Poolhouse computes'
                        || coalesce(
                            ': did you mean ' || {{ near_measure(measure) }} || '?',
                            '; it has ' || string_agg(notations.name, ', ' order by lower(notations.name))
                            || ' (poolhouse docs measures)'
                        )
                    )
                end
            from notations
        )
{%- endmacro %}

{#- A grade among the parameters, null where it is not written as a number. -#}
{% macro grade_asked(measure, parameter) -%}
    try_cast(regexp_extract({{ measure }}, '[(,]{{ parameter }}=([0-9]+)', 1) as integer)
{%- endmacro %}

{#-
    Measures of ir_measures and trec_eval that need more than runs and qrels: what a message says of them, and a regular
    expression of their names.
-#}
{% macro measures_that_need_more() %}
    {{ return({
        'needs judgements of subtopics, which Poolhouse does not read':
            '(?i)^((alpha|α)_n?DCG|n?ERR_IA|M?AP_IA|P_IA|StRecall|n?NRBP)([(@]|$)',
        'needs preferences between documents: select it from preference_measures(collection)': '(?i)^prefs_',
        'needs several groups of judgements (trec_eval -R qrels_jg), which Poolhouse does not read':
            '(?i)_avgjg([._]|$)',
    }) }}
{% endmacro %}

{#- The name of the requested measure, also where ir_measures has another name for the measure. -#}
{% macro name_for_alias(measure) -%}
    case lower({{ asked_name(measure) }})
        {%- for alias, name in {'map': 'AP', 'mrr': 'RR', 'precision': 'P', 'recall': 'R'}.items() %}
            when '{{ alias }}' then '{{ name }}'
        {%- endfor %}
        else {{ asked_name(measure) }}
    end
{%- endmacro %}

{#-
    The notation of a measure that a text means, for a row of the seed `measures`: a text in any case, another name of
    ir_measures, or trec_eval's name with its number after `_` or `.`. Null where the text does not mean the measure of the row. A name of
    trec_eval without a number stands for several cutoffs, and so for a measure only where there is no uncut one.
-#}
{% macro written_measure(asked) -%}
    {%- set number = "'[._]([0-9.]+)$'" -%}
    case
        when
            lower({{ asked }}) = lower(trec_eval_name)
            or (trec_eval_name is null and lower({{ asked }} || '_k') = lower(trec_eval_name_at_cutoff))
            then name
        when lower(regexp_replace({{ asked }}, {{ number }}, '_k')) = lower(trec_eval_name_at_cutoff)
            then name || '@' || regexp_extract({{ asked }}, {{ number }}, 1)
        -- ir_measures' other name for a measure with a parameter
        when name = 'SetP' and regexp_full_match(lower({{ asked }}), 'setrelp([(].*[)])?')
            then
                'SetP(relative=true'
                || replace(trim(substring({{ asked }}, length('setrelp') + 1), '()'), 'rel=', ',rel=')
                || ')'
        when
            lower({{ name_for_alias(asked) }}) = lower(name)
            and regexp_full_match({{ asked }}, '[A-Za-z0-9]+([(@].*)?')
            then name || {{ python_values_read('substring(' ~ asked ~ ', length(' ~ asked_name(asked) ~ ') + 1)') }}
    end
{%- endmacro %}

{#- The parameters and cutoff of a measure, where they are written as Python writes its values (`True`, `'log2'`). -#}
{% macro python_values_read(text) -%}
    replace(replace(replace({{ text }}, 'True', 'true'), 'False', 'false'), '''', '')
{%- endmacro %}

{#-
    The notation that a text means, among the rows of the seed `measures`. A name of trec_eval goes before a name in
    lower case: `rbp` is GradedRBP, and not RBP.
-#}
{% macro meant_measure(asked) -%}
    coalesce(
        max({{ written_measure(asked) }}) filter (where trec_eval_name = {{ asked }}),
        max({{ written_measure(asked) }})
    )
{%- endmacro %}

{#-
    The measure that an unknown name probably meant, among the rows of `notations`: a name that differs in at most two
    letters. Null where there is none.
-#}
{% macro near_measure(measure) -%}
    {%- set written = 'upper(' ~ asked_name(measure) ~ ')' -%}
    {%- set distance = 'levenshtein(' ~ written ~ ', upper(notations.name))' -%}
    arg_min(
                                notations.name,
                                ({{ distance }}, notations.name)
                            ) filter (
                                where {{ distance }} <= {{ most_wrong_letters() }}
                                and {{ distance }} < length(notations.name)
                            )
{%- endmacro %}

{#- A name that differs in more letters than these is another name. -#}
{% macro most_wrong_letters() -%}
    2
{%- endmacro %}
