{#- `RBP(p=0.8)@10` -> name RBP, parameters {p: '0.8'}, cutoff '10' (none where there is no @). -#}
{% macro parse_measure(measure_id) %}
    {%- set name = modules.re.match('[A-Za-z]*', measure_id).group(0) -%}
    {%- set signature_macro = context.get('signature_of_' ~ name | lower) -%}
    {%- set signature = signature_macro() if signature_macro else {} -%}
    {%- if signature.name != name -%}
        {%- do exceptions.raise_compiler_error(
            measure_id ~ ' is not a measure that Poolhouse computes; it has ' ~ measure_usages()
        ) -%}
    {%- endif -%}
    {#- What the macro would pass over must not give a wrong number a right name. -#}
    {%- if not modules.re.fullmatch(measure_pattern(signature), measure_id) -%}
        {%- do exceptions.raise_compiler_error(measure_id ~ ' is not written as ' ~ measure_usage(signature)) -%}
    {%- endif -%}
    {%- set parameters = {} -%}
    {%- for parameter, number in modules.re.findall('([a-z]+)=([0-9.]+)', measure_id) -%}
        {%- do parameters.update({parameter: number}) -%}
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
    What there is to know of each measure, by its name: which rows it reads (`judged`, all judged
    documents, or `gains`, those with a gain, which are far fewer), its cutoff (`none`, `allowed`,
    `needed`, or the `recall` level that IPrec has in its place), and its parameters with the values
    that they have where they are not written; `ties` says by what tied documents are ordered, where it
    is not their grade (macros/rules/ties.sql). Gathered from the macros `signature_of_<name>`, so
    that a new measure is a new file; sorted, since dbt has them in another order each time, and SQL
    in another order is another model.
-#}
{% macro measure_signatures() %}
    {%- set signatures = {} -%}
    {%- for macro_name in context | sort if macro_name.startswith('signature_of_') -%}
        {%- set signature = context[macro_name]() -%}
        {%- do signatures.update({signature.name: signature}) -%}
    {%- endfor -%}
    {{ return(signatures) }}
{% endmacro %}

{#- How a measure is written, for people: `RBP[(p=0.8,rel=l)][@k]`. -#}
{% macro measure_usage(signature) %}
    {%- set parameters = [] -%}
    {%- for parameter, default in signature.parameters.items() -%}
        {%- do parameters.append(parameter ~ '=' ~ ('l' if default is none else default)) -%}
    {%- endfor -%}
    {{ return(
        signature.name
        ~ ('[(' ~ parameters | join(',') ~ ')]' if parameters else '')
        ~ {'none': '', 'allowed': '[@k]', 'needed': '@k', 'recall': '@recall'}[signature.cutoff]
    ) }}
{% endmacro %}

{#- All of them in a row. -#}
{% macro measure_usages() %}
    {%- set usages = [] -%}
    {%- for signature in measure_signatures().values() -%}
        {%- do usages.append(measure_usage(signature)) -%}
    {%- endfor -%}
    {{ return(usages | sort | join(', ')) }}
{% endmacro %}

{#- How it is written, as a regular expression of Python's and the engine's kind. -#}
{% macro measure_pattern(signature) %}
    {%- set numbers = {'rel': '[1-9][0-9]*', 'p': '0[.][0-9]+', 'beta': '[0-9]+([.][0-9]+)?'} -%}
    {%- set orders = [] -%}
    {%- for parameter in signature.parameters -%}
        {#- Each once: this one, and the other after it where there is another. -#}
        {%- set others = [] -%}
        {%- for other in signature.parameters if other != parameter -%}
            {%- do others.append('(,' ~ other ~ '=' ~ numbers[other] ~ ')?') -%}
        {%- endfor -%}
        {%- do orders.append(parameter ~ '=' ~ numbers[parameter] ~ others | join) -%}
    {%- endfor -%}
    {{ return(
        signature.name
        ~ ('([(](' ~ orders | join('|') ~ ')[)])?' if orders else '')
        ~ {
            'none': '',
            'allowed': '(@[1-9][0-9]*)?',
            'needed': '@[1-9][0-9]*',
            'recall': '@(0([.][0-9]+)?|1([.]0+)?)',
        }[signature.cutoff]
    ) }}
{% endmacro %}

{#- Those of the measures that read these rows (see measure_signatures). -#}
{% macro measures_of(rows, measure_ids) %}
    {%- set chosen = [] -%}
    {%- for measure_id in measure_ids if parse_measure(measure_id).rows == rows -%}
        {%- do chosen.append(measure_id) -%}
    {%- endfor -%}
    {{ return(chosen) }}
{% endmacro %}

{#- Relevance levels that measures ask for by `rel`, beside the threshold of the collection. -#}
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
