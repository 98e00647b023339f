{#-
    The order of the documents of a merged ranking r_p o r_u, as one integer that sorts ascending (Lipani et al.
    2015, equation 2). `rank_unpooled` is null for a document that only r_p contains.

    The first criterion is mu, in hundredths: (1 - alpha) rank_p + alpha rank_u for a shared document, and rank_p
    for an exclusive one. On a tie of mu, the published implementation puts a shared document that moved up before
    an exclusive one, and a shared document that moved down after it. A shared document that did not move is between
    the two. The paper's text puts every shared document after an exclusive one. The last criterion is the lower
    rank_p (docs/decisions/ties.md).

    The integer consists of mu, two bits for the tie, and twenty bits for rank_p (1048576 ranks are more than a run
    has). `hundredths` is alpha as an integer (int_merge_weights). `tie_rule` is the variable of the project where
    it is not given.
-#}
{% macro merge_order(rank_pooled, rank_unpooled, hundredths, tie_rule=none) -%}
    {%- set rule = tie_rule or var('lipani_tie_rule') -%}
    (
        {{ merged_rank_in_hundredths(rank_pooled, rank_unpooled, hundredths) }}
        * cast(4 as bigint)
        + case
            when {{ rank_unpooled }} is null then 1
            when {{ is_shared_first(rank_unpooled ~ ' < ' ~ rank_pooled, rule) }} then 0
            {%- if rule == 'implementation' %}
            when {{ rank_unpooled }} = {{ rank_pooled }} then 1
            {%- elif rule != 'paper' %}
            {{ exceptions.raise_compiler_error('lipani_tie_rule is neither implementation nor paper') }}
            {%- endif %}
            else 2
        end
    ) * 1048576 + {{ rank_pooled }}
{%- endmacro %}

{#- 100 mu. -#}
{% macro merged_rank_in_hundredths(rank_pooled, rank_unpooled, hundredths) -%}
    coalesce({{ rank_pooled }} * (100 - {{ hundredths }}) + {{ rank_unpooled }} * {{ hundredths }}, {{ rank_pooled }} * 100)
{%- endmacro %}

{#- alpha, a number from 0 to 1, in hundredths. -#}
{% macro in_hundredths(alpha) -%}
    cast(round({{ alpha }} * 100) as integer)
{%- endmacro %}

{#-
    The whole rankings of the runs that are merged, as the CTEs `member_rankings` (of the runs of any pool) and
    `candidate_rankings` (of `candidates_to_merge`, the candidates at hand), and the `member_topics` of the former. They
    read the CTEs `rankings`, `run_topics`, `pool_runs`, `candidates` and `judged_topics`. A pair is merged once, whichever
    pools it is in.
-#}
{% macro rankings_to_merge() -%}
runs_to_merge as (

    select distinct
        collection_key,
        run_key
    from pool_runs

),

candidates_to_merge as (

    select distinct
        collection_key,
        run_key
    from candidates
    where
        is_scored
        and {{ is_candidate_at_hand() }}

),

-- one row per run of the pools and judged topic that it answers
member_topics as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        run_topics.n_retrieved
    from run_topics
    inner join runs_to_merge using (collection_key, run_key)
    inner join judged_topics using (collection_key, topic_key)

),

-- the whole rankings of the runs of the pools
member_rankings as not materialized (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join runs_to_merge using (collection_key, run_key)
    inner join judged_topics using (collection_key, topic_key)

),

-- the whole rankings of the candidates
candidate_rankings as not materialized (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join candidates_to_merge using (collection_key, run_key)

)
{%- endmacro %}

{#- The list of the first n values by an ascending key. -#}
{% macro first_in_order(value, key, n) -%}
    {{ return(adapter.dispatch('first_in_order')(value, key, n)) }}
{%- endmacro %}

{% macro default__first_in_order(value, key, n) -%}
    min_by({{ value }}, {{ key }}, {{ n }})
{%- endmacro %}

{#- One row per element of a list, with its position from 1. -#}
{% macro elements(list, position) -%}
    {{ return(adapter.dispatch('elements')(list, position)) }}
{%- endmacro %}

{% macro default__elements(list, position) -%}
    unnest({{ list }}) as doc_key,
    generate_subscripts({{ list }}, 1) as {{ position }}
{%- endmacro %}

{#-
    The band of ranks, between two cutoffs of precision, that contains a rank, named by its deeper cutoff; null
    where there is none. Counts per band add up to the counts of every cutoff, so that a ranking is read once.
-#}
{% macro cutoff_band(rank) -%}
    case
        {%- for cutoff in precision_cutoffs() %}
        when {{ rank }} <= {{ cutoff }} then {{ cutoff }}
        {%- else %}
        when false then 0
        {%- endfor %}
    end
{%- endmacro %}

{#-
    Rankings as bits: the first ranks of a topic are one number, with one bit per rank (int_merged_tops). A HUGEINT has
    room for 126 of them.
-#}
{% macro ranks_in_bits() %}
    {{ return(126) }}
{% endmacro %}

{% macro bit_of(rank) -%}
    cast(1 as hugeint) << ({{ rank }} - 1)
{%- endmacro %}

{% macro bits_down_to(rank) -%}
    ((cast(1 as hugeint) << {{ rank }}) - 1)
{%- endmacro %}

{#- Number of documents of the merged ranking with a key down to this one: of `exclusive` and `shared` ones. -#}
{% macro n_merged_down_to(key) -%}
    {{ n_bits('exclusive & ' ~ bits_down_to(key)) }} + {{ n_bits('shared & ' ~ bits_down_to(key)) }}
{%- endmacro %}

{#- Number of ranks. The engine counts them in eight bits, whose sum would overflow. -#}
{% macro n_bits(ranks) -%}
    cast(bit_count({{ ranks }}) as integer)
{%- endmacro %}

{#-
    The rows of a CTE, with the greatest `key` down to which a merged ranking has fewer than `n_wanted` documents. Each
    CTE finds one bit of the key, from the highest on.
-#}
{% macro keys_found_bit_by_bit(rows, called) -%}
{%- for step in [64, 32, 16, 8, 4, 2, 1] -%}
{%- set key = '0' if loop.first else 'key' -%}
{{ called if loop.last else called ~ '_' ~ step }} as (

    select
        * {{ 'exclude (key)' if not loop.first }},
        {{ key }} + case when {{ n_merged_down_to('(' ~ key ~ ' + ' ~ step ~ ')') }} < n_wanted then {{ step }} else 0 end
            as key
    from {{ rows if loop.first else called ~ '_' ~ (step * 2) }}

)
{{- ',\n\n' if not loop.last }}
{%- endfor -%}
{%- endmacro %}

{#- Whether a shared document comes before the exclusive one with the same key. -#}
{% macro is_shared_first(has_moved_up, tie_rule=none) -%}
    {{ has_moved_up if (tie_rule or var('lipani_tie_rule')) == 'implementation' else 'false' }}
{%- endmacro %}
