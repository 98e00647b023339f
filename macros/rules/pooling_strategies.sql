{#-
    The value by which a strategy orders the documents of a topic, from the lines of the runs that return a document
    (`rank`, `normalized_score`, `list_length`) and the number `n_of_topic` of documents of the topic. The source of
    each strategy is in dim_pooling_strategies. The engine computes the aggregates of the requested strategy alone.

    Sums of the same numbers differ in their last digits with the order of the sum, so that values are compared to 12
    decimals: the same runs give the same pool.
-#}
{% macro value_of_strategy(strategy, n_of_topic) -%}
    round(
        case {{ strategy }}
            when 'depth' then -min(rank)
            when 'take' then -min(rank)
            when 'take_by_topic' then -min(rank)
            when 'rrf' then sum(1 / (60 + rank))
            -- a run gives n - rank + 1 points, and a document that it lacks the mean of the points that are left. The
            -- part of this sum that is the same for all documents of a topic is left out.
            when 'borda' then count(*) * ({{ n_of_topic }} + 1) / 2 - sum(rank) + sum(list_length) / 2
            when 'comb_sum' then sum(normalized_score)
            when 'comb_mnz' then sum(normalized_score) * count(*)
            when 'comb_max' then max(normalized_score)
            when 'comb_med' then median(normalized_score)
            when 'dcg' then sum({{ discounted_gain('rank', '1') }})
            when 'rbp_a' then sum({{ rbp_weight(pooling_persistence()) }})
            when 'perfect_precision' then count(*)
        end,
        12
    )
{%- endmacro %}

{#- The persistence of RBP as a strategy (Moffat, Webber & Zobel 2007 have 0.8). -#}
{% macro pooling_persistence() -%}
    0.8
{%- endmacro %}

{#- The budgets for which a pool is planned, where no others are requested. -#}
{% macro planned_budgets() -%}
    [1000, 2000, 5000, 10000, 20000, 50000]
{%- endmacro %}
