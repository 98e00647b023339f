{#-
    `RBP(p=0.8)@10` -> name RBP, parameters {p: '0.8'}, cutoff '10' (none where there is no @). The value of a
    parameter is valid in SQL.
-#}
{% macro parse_measure(measure_id) %}
    {%- set name = modules.re.match('[A-Za-z0-9]*', measure_id).group(0) -%}
    {%- set signature_macro = context.get('signature_of_' ~ name | lower) -%}
    {%- set signature = signature_macro() if signature_macro else {} -%}
    {%- if signature.name != name -%}
        {%- do exceptions.raise_compiler_error(
            measure_id ~ ' is not a measure that Poolhouse computes; it has ' ~ measure_usages()
        ) -%}
    {%- endif -%}
    {%- set written = modules.re.findall('[(,]([A-Za-z0-9_]+)=([{][^}]*[}]|[^,()]+)', measure_id) -%}
    {#- The macro would ignore these; a wrong number must not get a right name. -#}
    {%- if
        not modules.re.fullmatch(measure_pattern(signature), measure_id)
        or written | map('first') | unique | list | length < written | length
    -%}
        {%- do exceptions.raise_compiler_error(measure_id ~ ' is not written as ' ~ measure_usage(signature)) -%}
    {%- endif -%}
    {%- set parameters = {} -%}
    {%- for parameter, value in written -%}
        {%- if parameter_kind(parameter).on_demand -%}
            {%- do exceptions.raise_compiler_error(measure_id ~ ' is computed on demand, and no mart has it') -%}
        {%- endif -%}
        {%- do parameters.update({parameter: value}) -%}
    {%- endfor -%}
    {{ return({
        'id': measure_id,
        'name': name,
        'rows': signature.rows,
        'parameters': dict(signature.parameters, **parameters),
        'cutoff': measure_id.partition('@')[2] or none,
    }) }}
{% endmacro %}

{#-
    The signature of each measure, by the name of the measure. It says which rows the measure reads: `judged`, all
    judged documents, `gains`, the documents with a gain, which are far fewer, or `ideal`, all judged documents beside
    the ideal ranking, which only a requested measure reads (ideal_cells.sql). It says which cutoff the measure has:
    `none`, `allowed`, `needed`, or what some have instead: a `recall` level, or a `multiple` of R. It lists the
    parameters with their default values. `ties` says what orders tied documents where it is not their grade
    (macros/rules/ties.sql). The signatures are gathered from the macros `signature_of_<name>`, so that a new
    measure is a new file. They are sorted, because dbt lists macros in a different order each time, and SQL in
    another order counts as another model.
-#}
{% macro measure_signatures() %}
    {%- set signatures = {} -%}
    {%- for macro_name in modules.re.findall('signature_of_[a-z0-9]+', context | join(' ')) | sort -%}
        {%- set signature = context[macro_name]() -%}
        {%- do signatures.update({signature.name: signature}) -%}
    {%- endfor -%}
    {{ return(signatures) }}
{% endmacro %}

{#- The notation of a measure for messages and documentation: `RBP[(p=0.8,rel=l)][@k]`. -#}
{% macro measure_usage(signature) %}
    {%- set parameters = [] -%}
    {%- for parameter, default in signature.parameters.items() -%}
        {%- do parameters.append(
            parameter ~ '=' ~ (parameter_kind(parameter).get('shown', 'l') if default is none else default)
        ) -%}
    {%- endfor -%}
    {{ return(
        signature.name
        ~ ('[(' ~ parameters | join(',') ~ ')]' if parameters else '')
        ~ {'none': '', 'allowed': '[@k]', 'needed': '@k', 'recall': '@recall', 'multiple': '@x'}[signature.cutoff]
    ) }}
{% endmacro %}

{#- The notations of all measures as one list. -#}
{% macro measure_usages() %}
    {%- set usages = [] -%}
    {%- for signature in measure_signatures().values() -%}
        {%- do usages.append(measure_usage(signature)) -%}
    {%- endfor -%}
    {{ return(usages | sort | join(', ')) }}
{% endmacro %}

{#-
    The notation of a measure as a regular expression that is valid in Python and in the engine. Parameters may be in
    any order; that none occurs twice is tested apart, because a regular expression would have to list all orders.
-#}
{% macro measure_pattern(signature) %}
    {%- set patterns = [] -%}
    {%- for parameter in signature.parameters -%}
        {%- do patterns.append(parameter ~ '=' ~ parameter_kind(parameter).pattern) -%}
    {%- endfor -%}
    {%- set any = '(' ~ patterns | join('|') ~ ')' -%}
    {{ return(
        signature.name
        ~ ('([(]' ~ any ~ '(,' ~ any ~ ')*[)])?' if patterns else '')
        ~ {
            'none': '',
            'allowed': '(@[1-9][0-9]*)?',
            'needed': '@[1-9][0-9]*',
            'recall': '@(0([.][0-9]+)?|1([.]0+)?)',
            'multiple': '@(0|[1-9][0-9]*)([.][0-9]+)?',
        }[signature.cutoff]
    ) }}
{% endmacro %}

{#- The given measures that read these rows (see measure_signatures). -#}
{% macro measures_of(rows, measure_ids) %}
    {%- set chosen = [] -%}
    {%- for measure_id in measure_ids if parse_measure(measure_id).rows == rows -%}
        {%- do chosen.append(measure_id) -%}
    {%- endfor -%}
    {{ return(chosen) }}
{% endmacro %}

{#- Relevance levels that measures request by `rel`, in addition to the threshold of the collection. -#}
{% macro relevance_levels(measure_ids) %}
    {%- set levels = [] -%}
    {%- for measure_id in measure_ids -%}
        {%- set level = parse_measure(measure_id).parameters.rel -%}
        {%- if level and level not in levels -%}
            {%- do levels.append(level) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(levels) }}
{% endmacro %}
