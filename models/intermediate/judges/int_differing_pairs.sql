with

{{ imports(comparison_scores="int_comparison_scores where documents = 'common'") }},

-- the scores by each side of an author are one layout
int_layout_cells as materialized (

    select
        comparison_scores.collection_key,
        comparison_scores.compared_author_key || ' ' || sides.side as layout_key,
        comparison_scores.run_key,
        comparison_scores.topic_key,
        case sides.side when 'author' then comparison_scores.score else comparison_scores.true_score end as score
    from comparison_scores
    cross join (values ('author'), ('reference')) as sides (side)

),

{{ tested_pairs() }},

-- one row per author and test: number of pairs of runs in which it finds a difference, in which the reference does, and in
-- which both do
differing as (

    select
        one.collection_key,
        cast(string_split(one.layout_key, ' ')[1] as integer) as compared_author_key,
        {% for test in pair_tests() %}
            {% set differs = by_test('differs', test) %}
            cast(count(*) filter (where one.{{ differs }}) as integer) as {{ by_test('n_differ', test) }},
            cast(count(*) filter (where truth.{{ differs }}) as integer)
                as {{ by_test('n_differ_by_reference', test) }},
            {% for column, relation in [('n_same_direction', '>'), ('n_opposite_directions', '<')] %}
                cast(
                    count(*) filter (
                        where
                        one.{{ differs }}
                        and truth.{{ differs }}
                        and one.score_difference * truth.score_difference {{ relation }} 0
                    ) as integer
                ) as {{ by_test(column, test) }},
            {% endfor %}
        {% endfor %}
        cast(count(*) as integer) as n_pairs
    from int_layout_pairs as one
    inner join int_layout_pairs as truth
        on
            one.collection_key = truth.collection_key
            and one.run_key = truth.run_key
            and one.other_run_key = truth.other_run_key
            and replace(one.layout_key, 'author', 'reference') = truth.layout_key
            and one.layout_key <> truth.layout_key
    group by all

)

select * from differing
