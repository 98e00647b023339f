{#- A name as a word of a command that a shell reads: in quotes where it has other characters than usual names. -#}
{% macro as_shell_word(name) -%}
    case
        when regexp_full_match({{ name }}, '[A-Za-z0-9_.][A-Za-z0-9_.-]*') then {{ name }}
        else '''' || replace({{ name }}, '''', '''\''''') || ''''
    end
{%- endmacro %}
