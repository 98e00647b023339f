{{ config(arguments=['collection', 'asked']) }}
-- `compared_scores` is read by its name in a text:
-- noqa: disable=ST03

with

{{ imports('quantiles', 'int_authors') }},

{{ t_quantiles() }},

int_comparison_scores as materialized (

    select * from {{ ref('int_asked_comparison_scores') }}(collection, asked)

),

{{ steps(['int_order_agreement', 'int_differing_pairs'], given=['int_comparison_scores']) }},

-- one row per author and run, beside the reference
compared_scores as (

    select
        compared_author_key as leaderboard,
        run_key as run_id,
        score,
        true_score
    from int_compared_runs
    where left_out_topic_key is null

),

leaderboard_agreement as (

    select * from {{ ref('int_leaderboard_agreement') }}('compared_scores')

),

-- one row per author and test
agreement as (

    select
        collection as collection_id,
        authors.author,
        asked as measure,
        leaderboard_agreement.n_runs,
        orders.kendall_tau,
        {{ interval_of_95('orders.kendall_tau', 'orders.kendall_tau_error', 't_quantiles', 'kendall_tau', -1, 1) }},
        leaderboard_agreement.tau_ap,
        leaderboard_agreement.rbo,
        orders.kendall_tau_of_best,
        {{ interval_of_95(
            'orders.kendall_tau_of_best', 'orders.kendall_tau_of_best_error', 't_quantiles', 'kendall_tau_of_best', -1, 1
        ) }},
        tests.test,
        {% for column in ['n_differ', 'n_differ_by_reference', 'n_same_direction', 'n_opposite_directions'] %}
            {{ of_test('differing.' ~ column, 'tests.test') }} as {{ column }},
        {% endfor %}
        differing.n_pairs
    from int_order_agreement as orders
    inner join authors
        on
            orders.collection_key = authors.collection_key
            and orders.compared_author_key = authors.author_key
    inner join leaderboard_agreement on orders.compared_author_key = leaderboard_agreement.leaderboard
    cross join {{ pair_tests_as_rows() }} as tests (test)
    left join int_differing_pairs as differing on orders.compared_author_key = differing.compared_author_key
    left join t_quantiles on {{ has_t_quantiles('orders.n_topics - 1') }}

)

select * from agreement
