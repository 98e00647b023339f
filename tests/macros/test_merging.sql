{#- Every case has an expected order for each setting of alpha and of the tie rule. -#}
with

-- the documents of a pooled run, their ranks in it, and the ranks of shared documents in the unpooled run
documents (case_name, document, rank_pooled, rank_unpooled) as (

    values
    ('nothing_shared', 'a', 1, null),
    ('nothing_shared', 'b', 2, null),
    ('nothing_shared', 'c', 3, null),

    ('all_shared', 'a', 1, 3),
    ('all_shared', 'b', 2, 1),
    ('all_shared', 'c', 3, 2),

    ('shared_stays', 'a', 1, null),
    ('shared_stays', 'b', 2, 2),
    ('shared_stays', 'c', 3, null),

    ('moved_up_onto_an_exclusive', 'a', 1, null),
    ('moved_up_onto_an_exclusive', 'b', 2, null),
    ('moved_up_onto_an_exclusive', 'c', 4, 2),
    ('moved_up_onto_an_exclusive', 'd', 3, null),

    ('moved_down_onto_an_exclusive', 'a', 1, 3),
    ('moved_down_onto_an_exclusive', 'b', 2, null),
    ('moved_down_onto_an_exclusive', 'c', 3, null),
    ('moved_down_onto_an_exclusive', 'd', 4, null),

    ('moved_behind_the_end', 'a', 1, 1000),
    ('moved_behind_the_end', 'b', 2, null),

    ('tie_at_rank_1000', 'a', 1, 1000),
    ('tie_at_rank_1000', 'b', 1000, null),
    ('tie_at_rank_1000', 'c', 1001, null),

    ('two_shared_meet_halfway', 'a', 1, 3),
    ('two_shared_meet_halfway', 'b', 2, 4),
    ('two_shared_meet_halfway', 'c', 3, 1),

    ('three_shared_meet', 'a', 1, 3),
    ('three_shared_meet', 'b', 2, 2),
    ('three_shared_meet', 'c', 3, 1)

),

expected_orders (alpha, tie_rule, case_name, expected) as (

    values
    (1.0, 'implementation', 'nothing_shared', 'a b c'),
    -- mu is the unpooled run's rank: 3, 1, 2
    (1.0, 'implementation', 'all_shared', 'b c a'),
    (1.0, 'implementation', 'shared_stays', 'a b c'),
    -- c moves from 4 to 2, where b is
    (1.0, 'implementation', 'moved_up_onto_an_exclusive', 'a c b d'),
    -- a moves from 1 to 3, where c is
    (1.0, 'implementation', 'moved_down_onto_an_exclusive', 'b c a d'),
    (1.0, 'implementation', 'moved_behind_the_end', 'b a'),
    (1.0, 'implementation', 'tie_at_rank_1000', 'b a c'),
    (1.0, 'implementation', 'two_shared_meet_halfway', 'c a b'),
    (1.0, 'implementation', 'three_shared_meet', 'c b a'),

    (1.0, 'paper', 'nothing_shared', 'a b c'),
    (1.0, 'paper', 'all_shared', 'b c a'),
    (1.0, 'paper', 'shared_stays', 'a b c'),
    -- the shared document comes after the exclusive one, wherever it was before
    (1.0, 'paper', 'moved_up_onto_an_exclusive', 'a b c d'),
    (1.0, 'paper', 'moved_down_onto_an_exclusive', 'b c a d'),
    (1.0, 'paper', 'moved_behind_the_end', 'b a'),
    (1.0, 'paper', 'tie_at_rank_1000', 'b a c'),
    (1.0, 'paper', 'two_shared_meet_halfway', 'c a b'),
    (1.0, 'paper', 'three_shared_meet', 'c b a'),

    (0.5, 'implementation', 'nothing_shared', 'a b c'),
    -- mu is 2, 1.5, 2.5
    (0.5, 'implementation', 'all_shared', 'b a c'),
    (0.5, 'implementation', 'shared_stays', 'a b c'),
    -- c moves from 4 to 3, where d is
    (0.5, 'implementation', 'moved_up_onto_an_exclusive', 'a b c d'),
    -- a moves from 1 to 2, where b is
    (0.5, 'implementation', 'moved_down_onto_an_exclusive', 'b a c d'),
    (0.5, 'implementation', 'moved_behind_the_end', 'b a'),
    -- a only moves to 500.5
    (0.5, 'implementation', 'tie_at_rank_1000', 'a b c'),
    -- mu is 2, 3, 2: of two shared documents, the one that moved up comes first (docs/decisions/ties.md)
    (0.5, 'implementation', 'two_shared_meet_halfway', 'c a b'),
    -- all have mu 2: the order is moved up, stayed, moved down
    (0.5, 'implementation', 'three_shared_meet', 'c b a'),

    (0.5, 'paper', 'nothing_shared', 'a b c'),
    (0.5, 'paper', 'all_shared', 'b a c'),
    (0.5, 'paper', 'shared_stays', 'a b c'),
    (0.5, 'paper', 'moved_up_onto_an_exclusive', 'a b d c'),
    (0.5, 'paper', 'moved_down_onto_an_exclusive', 'b a c d'),
    (0.5, 'paper', 'moved_behind_the_end', 'b a'),
    (0.5, 'paper', 'tie_at_rank_1000', 'a b c'),
    -- of two shared documents, the one with the lower rank in the pooled run comes first
    (0.5, 'paper', 'two_shared_meet_halfway', 'a c b'),
    (0.5, 'paper', 'three_shared_meet', 'a b c')

),

orders as (

    {% for alpha in [1.0, 0.5] %}
        {% for tie_rule in ['implementation', 'paper'] %}
            select
                {{ alpha }} as alpha,
                '{{ tie_rule }}' as tie_rule,
                case_name,
                string_agg(
                    document, ' '
                    order by {{ merge_order('rank_pooled', 'rank_unpooled', in_hundredths(alpha), tie_rule) }}
                ) as actual
            from documents
            group by case_name
            {{ 'union all' if not (tie_rule == 'paper' and alpha == 0.5) }}
        {% endfor %}
    {% endfor %}

),

orders_compared as (

    select
        concat_ws(' ', expected_orders.alpha, expected_orders.tie_rule, expected_orders.case_name) as case_name,
        orders.actual,
        expected_orders.expected
    from orders
    full join expected_orders
        on
            orders.alpha = expected_orders.alpha
            and orders.tie_rule = expected_orders.tie_rule
            and orders.case_name = expected_orders.case_name

),

-- values with an ascending key; the rows are in another order
keyed (document_key, place) as (

    values
    (103, 30),
    (101, 10),
    (104, 40),
    (102, 20)

),

firsts_compared as (

    select
        'fewer_than_there_are' as case_name,
        {{ first_in_order('document_key', 'place', 2) }} as actual,
        [101, 102] as expected
    from keyed
    union all
    select
        'more_than_there_are' as case_name,
        {{ first_in_order('document_key', 'place', 10) }} as actual,
        [101, 102, 103, 104] as expected
    from keyed

),

lists (case_name, keys) as (

    values
    ('three', [103, 101, 102]),
    ('one', [7])

),

expected_elements (case_name, position, expected) as (

    values
    -- places count from 1, in the order of the list
    ('three', 1, 103),
    ('three', 2, 101),
    ('three', 3, 102),
    ('one', 1, 7)

),

list_elements as (

    select
        case_name,
        {{ elements('keys', 'position') }}
    from lists

),

elements_compared as (

    select
        coalesce(list_elements.case_name, expected_elements.case_name) as case_name,
        list_elements.doc_key as actual,
        expected_elements.expected
    from list_elements
    full join expected_elements
        on
            list_elements.case_name = expected_elements.case_name
            and list_elements.position = expected_elements.position

),

-- ranks between the project's cutoffs 5, 10, 20, 30 and 100
ranks (rank, expected) as (

    values
    (1, 5),
    (5, 5),
    (6, 10),
    (10, 10),
    (11, 20),
    (30, 30),
    (31, 100),
    (100, 100),
    (101, null)

),

bands_compared as (

    select
        'rank ' || rank as case_name,
        {{ cutoff_band('rank') }} as actual,
        expected
    from ranks

)

{{ wrong_cases('orders_compared', n_cases=36) }}
union all
{{ wrong_cases('firsts_compared', n_cases=2) }}
union all
{{ wrong_cases('elements_compared', n_cases=4) }}
union all
{{ wrong_cases('bands_compared', n_cases=9) }}
