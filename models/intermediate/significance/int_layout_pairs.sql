{#- Not stored, because the pairs of a collection are computed on request (docs/decision_matrix.md). -#}
{{ config(materialized='ephemeral') }}

with

{{ imports(effects='int_layout_effects', tests='int_layout_tests') }},

-- one row per layout and unordered pair of its runs
pairs as (

    select
        one.collection_key,
        one.layout_key,
        one.run_key,
        other.run_key as other_run_key,
        one.score,
        other.score as other_score,
        one.score - other.score as score_difference,
        one.run_effect - other.run_effect as effect_difference,
        one.n_topics,
        other.n_topics as other_n_topics
    from effects as one
    inner join effects as other
        on
            one.collection_key = other.collection_key
            and one.layout_key = other.layout_key
            and one.run_key < other.run_key

),

-- the same rows, tested: but for `is_different_by_tukey`, no pair differs where the F test finds no difference among all
-- runs
tested as (

    select
        pairs.collection_key,
        pairs.layout_key,
        pairs.run_key,
        pairs.other_run_key,
        pairs.score,
        pairs.other_score,
        pairs.score_difference,
        pairs.effect_difference,
        one_way.has_differences
        and {{ differs_by_bonferroni(
            'pairs.score_difference',
            standard_error_of_difference('one_way.error_mean_square', 'pairs.n_topics', 'pairs.other_n_topics'),
            'one_way'
        ) }} as differs,
        two_way.has_differences
        and {{ differs_by_bonferroni(
            'pairs.effect_difference',
            standard_error_of_difference('two_way.error_mean_square', 'pairs.n_topics', 'pairs.other_n_topics'),
            'two_way'
        ) }} as differs_two_way,
        {{ differs_by_tukey(
            'pairs.effect_difference',
            standard_error_of_difference('two_way.error_mean_square', 'pairs.n_topics', 'pairs.other_n_topics'),
            'two_way'
        ) }} as is_different_by_tukey,
        two_way.has_differences and is_different_by_tukey as differs_tukey
    from pairs
    left join tests as one_way
        on
            pairs.collection_key = one_way.collection_key
            and pairs.layout_key = one_way.layout_key
            and one_way.analysis = 'one_way'
    left join tests as two_way
        on
            pairs.collection_key = two_way.collection_key
            and pairs.layout_key = two_way.layout_key
            and two_way.analysis = 'two_way'

)

select * from tested
