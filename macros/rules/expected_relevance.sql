{#-
    The constants of the estimator `expected_relevance` (docs/expected_relevance.md, which has the errors with other
    values).
-#}

{#- The share of relevant documents, where a prior share counts as much as `n_prior` documents. -#}
{% macro share_with_prior(n_relevant, n_documents, prior, n_prior) -%}
    ({{ n_relevant }} + {{ n_prior }} * {{ prior }}) / ({{ n_documents }} + {{ n_prior }})
{%- endmacro %}

{#- The number of documents of a prior that is not learned. -#}
{% macro documents_of_the_prior() -%}
    10
{%- endmacro %}

{#-
    The number of documents that a prior counts as: the variance of a document over the variance between the shares of
    runs or topics, less one (the moments of a beta distribution). A pool of similar organizations cannot tell how much a
    run of another kind differs, so that there is a limit, from simulations of such runs (benchmarks/advice_limit.py).
-#}
{% macro documents_of_a_learned_prior(variance, variance_between, fewest) -%}
    least(greatest({{ variance }} / greatest({{ variance_between }}, 1e-6) - 1, {{ fewest }}), 20)
{%- endmacro %}

{#- How much an organization supports a document by returning it: from the best rank at which any of its runs does. -#}
{% macro support_at(rank) -%}
    1.0 / ({{ rank }} + 5)
{%- endmacro %}

{#- Classes of support with equally many documents, each of which has a factor of its own. -#}
{% macro n_support_classes() -%}
    5
{%- endmacro %}

{#-
    What the classes compare: the support of a document. Lists end, so that no support is not known to be none: such
    documents come before all others, in the order of the overlap: how much of their run on the topic is judged because
    of others.
-#}
{% macro compared_support(support, overlap) -%}
    {{ comparable(
        'case when ' ~ comparable(support) ~ ' = 0 then ' ~ overlap ~ ' - 1 else ' ~ support ~ ' end'
    ) }}
{%- endmacro %}

{#- The class of a document: the number of limits between classes that its compared support reaches, from 0. -#}
{% macro support_class(limits, support, overlap) -%}
    len(list_filter(
        {{ limits }}, lambda support_limit : support_limit <= {{ compared_support(support, overlap) }}
    ))
{%- endmacro %}

{#- The two questions: what the score is if the run is pooled, and if all its documents down to the cutoff are judged. -#}
{% macro targets() -%}
targets as (

    select unnest(['if_pooled', 'if_judged']) as target

)
{%- endmacro %}

{#-
    Whether an unjudged document counts for a target: the documents that would be judged if the run were pooled, or all
    that nobody has judged.
-#}
{% macro is_unjudged_for(target, documents) -%}
    case {{ target }}
        when 'if_pooled' then {{ documents }}.is_judged_if_pooled
        else {{ documents }}.pool_key = 0 and {{ documents }}.is_relevant is null
    end
{%- endmacro %}

{#-
    By how much the log odds of all documents of a run may be wrong together, as a standard deviation. `distance` is the
    unjudged weight of the run over the mean of left-out organizations, and `unjudged_share` its share of all weight.
    `unsupported_share` is the share of the expected gain from documents that no other list holds.
-#}
{% macro deviation_of_log_odds(distance, unjudged_share, unsupported_share) -%}
    sqrt(
            0.25 + greatest(0.2 * least({{ distance }}, 5), 0.8 * {{ unjudged_share }})
            + 0.5 * coalesce({{ unsupported_share }}, 0)
        )
{%- endmacro %}

{#- The share of a sum over documents that those add which no list of another organization holds. -#}
{% macro unsupported_share(part, support) -%}
    coalesce(sum({{ part }}) filter (where {{ support }} = 0), 0) / nullif(sum({{ part }}), 0)
{%- endmacro %}

{#- A probability whose log odds are shifted. -#}
{% macro shifted_probability(probability, shift) -%}
    {{ probability }} / ({{ probability }} + (1 - {{ probability }}) * exp(-({{ shift }})))
{%- endmacro %}

{#- The part of one more document in the variance of every sum, so that no single document is out of the question. -#}
{% macro documents_in_doubt() -%}
    0.3
{%- endmacro %}

{#-
    The lower or upper end of an interval of an expected gain. The distance to the gain with shifted probabilities (`moved`)
    and the error of documents that are independent otherwise do not depend on each other. No gain is outside of its
    limits: `limit` is the one at this end. It is null where the shift is not known, and the gain where nothing is unjudged.
-#}
{% macro expected_end(end, gain, moved, variance, quantile, unjudged, limit) -%}
    {%- set distance -%}
        sqrt(pow({{ moved }} - {{ gain }}, 2) + pow({{ quantile }}, 2) * {{ variance }})
    {%- endset -%}
    case
            when {{ unjudged }} = 0 then {{ gain }}
            when {{ moved }} is not null
                then {{ 'greatest' if end == 'low' else 'least' }}(
                    {{ gain }} {{ '-' if end == 'low' else '+' }} {{ distance }}, {{ limit }}
                )
        end
{%- endmacro %}

{#- The weight of a rank in the interval of a measure: that of the measure, if its weights add up, or a discount. -#}
{% macro weight_in_interval(measure, rank) -%}
    case {{ asked_name(measure) }}
            when 'P' then 1 / {{ asked_cutoff(measure) }}
            when 'RBP' then {{ rbp_weight(asked_parameter(measure, 'p', 0.8), rank) }}
            else {{ discounted_gain(rank, 1) }}
        end
{%- endmacro %}

{#- The weight of all documents down to the cutoff, or to the deepest one whose relevance is estimated. -#}
{% macro whole_weights() -%}
-- one row: the weight of all documents down to the cutoff, or to the deepest one whose relevance is estimated
whole_weights as (

    select sum({{ weight_in_interval('asked', 'rank') }}) as weight
    from range(1, {{ deepest_cutoff() }} + 1) as numbers (rank)
    where rank <= {{ asked_cutoff('asked') }}

)
{%- endmacro %}

{#- Whether the weights of documents add up to the score. -#}
{% macro is_additive(measure) -%}
    {{ asked_name(measure) }} in ('P', 'RBP')
{%- endmacro %}

{#- How many times more the log odds deviate by a measure whose weights do not add up. -#}
{% macro deviation_of_other_measures() -%}
    1.25
{%- endmacro %}

{#- The estimator is advised in pools of at least this number of organizations. -#}
{% macro fewest_organizations() -%}
    5
{%- endmacro %}

{#- It is advised for runs of which at most this share of the weight is unjudged. -#}
{% macro largest_unjudged_share() -%}
    0.6
{%- endmacro %}

{#-
    The notations of the measures with an expected score, as a regular expression: those that a probability of relevance
    is enough for.
-#}
{% macro pattern_of_expected_measures() -%}
    (P|R)@[0-9]+|(AP|nDCG|RR)(@[0-9]+)?|Bpref|RBP([(]p=[0-9.]+[)])?(@[0-9]+)?|ERR([(]max_rel=[0-9]+[)])?(@[0-9]+)?
{%- endmacro %}

{#-
    A figure of documents times the square of the part of the score that each adds: its weight times the scale, less the
    dilution. The figure has the columns of its sums times powers of the weight.
-#}
{% macro squared_parts(figure, scale='scale', dilution='dilution') -%}
    pow({{ scale }}, 2) * {{ figure }}_2 - 2 * {{ scale }} * {{ dilution }} * {{ figure }}_1
    + pow({{ dilution }}, 2) * {{ figure }}_0
{%- endmacro %}
