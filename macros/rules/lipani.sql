{#-
    The estimator of Lipani et al. 2015 (section 4). It uses the precision and anti-precision of the run without its
    own contributions, and the change of both for the other runs when the run is merged into them.
-#}

{#- The share of the top n that is neither relevant nor judged non-relevant. -#}
{% macro unjudged_rate(precision, anti_precision) -%}
    {{ signed('1 - ' ~ precision ~ ' - ' ~ anti_precision) }}
{%- endmacro %}

{#- P + antiP + k = 1 holds before the merge and after it. -#}
{% macro delta_unjudged_rate(delta_precision, delta_anti_precision) -%}
    0 - {{ delta_precision }} - {{ delta_anti_precision }}
{%- endmacro %}

{#- lambda (equation 3): its sign says whether the run suffers from the pool's bias. -#}
{% macro lipani_lambda() -%}
    {{ unsigned_zero(
        'unjudged_rate * ' ~ signed('delta_precision * anti_precision - delta_anti_precision * precision')
    ) }}
{%- endmacro %}

{#-
    The possible triggers of the correction (section 5.1), by name: the condition under which it is applied. The
    paper's own is lambda. "replacing lambda with Delta P or Delta antiP" are the next two, and the last has no
    condition.
-#}
{% macro lipani_triggers() -%}
    {{ return({
        'lambda': 'bias_lambda > 0',
        'delta_precision': signed('delta_precision') ~ ' > 0',
        'delta_anti_precision': signed('delta_anti_precision') ~ ' < 0',
        'always': 'true',
    }) }}
{%- endmacro %}

{#- Whether the trigger that a column names holds. -#}
{% macro is_triggered(trigger) -%}
    case {{ trigger }}
        {%- for name, condition in lipani_triggers().items() %}
        when '{{ name }}' then {{ condition }}
        {%- endfor %}
    end
{%- endmacro %}

{#- Algorithm 1: lambda triggers the correction, unless another condition is given. -#}
{% macro lipani_adjustment(condition=none) -%}
    case
        when {{ condition or lipani_triggers()['lambda'] }} then unjudged_rate * greatest(delta_unjudged_rate, 0)
        else 0
    end
{%- endmacro %}
