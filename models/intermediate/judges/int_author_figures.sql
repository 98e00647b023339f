{{ config(materialized='table') }}

with

{{ imports(
    'int_authors where is_compared', 'int_labels where is_judged', 'int_label_pairs', 'int_label_comparisons',
    'int_label_agreement', 'int_order_agreement', 'int_differing_pairs', 'int_favours', 'int_estimator_errors',
    'int_collections', 'quantiles', all_authors='int_authors',
    compared_runs="int_compared_runs where documents = 'common' and left_out_topic_key is null",
    run_scores="int_run_scores where unjudged = 'nonrelevant'"
) }},

{{ t_quantiles() }},

-- one row per author and grade that it gave
grades as (

    select
        collection_key,
        author_key,
        grade,
        count(*) as n_labels
    from labels
    group by all

),

-- one row per author: the share of its labels that have its most common grade
common_grades as (

    select
        collection_key,
        author_key,
        sum(n_labels) as n_judged,
        max(n_labels) / sum(n_labels) as most_common_grade_share
    from grades
    group by all

),

-- one row per author: of the topics on which the reference tells documents apart, the share on which the author does not
constant_topics as (

    select
        collection_key,
        author_key,
        avg(cast(is_constant as integer)) as constant_topics_share
    from (
        select
            collection_key,
            other_author_key as author_key,
            min(other_relevance) = max(other_relevance) as is_constant
        from label_comparisons
        where documents = 'common'
        group by
            collection_key,
            other_author_key,
            topic_key
        having min(relevance) < max(relevance)
    ) as topics
    group by all

),

-- one row per pair of authors with enough labels in common, in either order: how alike their grades are
alike as (

    select
        collection_key,
        unnest([author_key, other_author_key]) as author_key,
        unnest([other_author_key, author_key]) as nearest_author_key,
        kappa
    from (
        select
            collection_key,
            author_key,
            other_author_key,
            {{ kappa('reference_grade', 'other_reference_grade') }} as kappa
        from label_pairs
        group by all
        having count(*) >= {{ least_labels_of_a_copy() }}
    ) as pairs

),

-- one row per author: the author that it resembles most
nearest as (

    select
        alike.collection_key,
        alike.author_key,
        arg_max(all_authors.author, alike.kappa) as nearest_author,
        max(alike.kappa) as nearest_kappa
    from alike
    inner join all_authors
        on
            alike.collection_key = all_authors.collection_key
            and alike.nearest_author_key = all_authors.author_key
    group by all

),

-- one row per comparison, with the error of kappa over topics, or over persons where that is larger: persons judged topics
-- of their own, so that both hold what differs between topics
kappas as (

    select
        collection_key,
        documents,
        compared_author_key,
        max(n_pairs) filter (where left_out is null) as n_pairs,
        max(kappa) filter (where left_out is null) as kappa,
        {{ jackknife_variance('kappa', "left_out like 'topic %'") }} as topic_variance,
        {{ jackknife_variance('kappa', "left_out like 'persons %'") }} as person_variance,
        case
            when person_variance > topic_variance then count(*) filter (where left_out like 'persons %')
            else count(*) filter (where left_out like 'topic %')
        end as n_parts,
        sqrt(greatest(topic_variance, person_variance)) as standard_error
    from label_agreement
    group by all

),

-- one row per author: how much better it agrees with the reference than persons do, on the documents that were judged twice
above_persons as (

    select
        one.collection_key,
        one.compared_author_key,
        max(one.kappa - persons.kappa) filter (where one.left_out is null) as kappa_above_persons,
        count(*) filter (where one.left_out is not null) as n_topics,
        sqrt({{ jackknife_variance('one.kappa - persons.kappa', 'one.left_out is not null') }}) as standard_error
    from label_agreement as one
    inner join label_agreement as persons
        on
            one.collection_key = persons.collection_key
            and one.left_out is not distinct from persons.left_out
            and persons.documents = 'persons and reference'
    where one.documents = 'judged twice'
    group by all

),

-- one row per collection whose documents persons judged twice: how well they agree, with each other and with the reference
persons as (

    select
        kappas.collection_key,
        max(kappas.kappa) filter (where kappas.documents = 'persons') as kappa_of_persons,
        {% for end, sign in [('low', '-'), ('high', '+')] %}
            max(kappas.kappa {{ sign }} t_quantiles.t_95 * kappas.standard_error) filter (
                where kappas.documents = 'persons'
            ) as kappa_of_persons_{{ end }},
        {% endfor %}
        max(kappas.kappa) filter (where kappas.documents = 'persons and reference') as kappa_of_persons_with_reference
    from kappas
    left join t_quantiles on {{ has_t_quantiles('kappas.n_parts - 1') }}
    group by kappas.collection_key
    having kappa_of_persons is not null

),

-- one row per collection: the same of the orders of runs
orders_of_persons as (

    select
        collection_key,
        max(kendall_tau) filter (where documents = 'persons') as kendall_tau_of_persons,
        avg(kendall_tau) filter (where documents in ('first person', 'last person'))
            as kendall_tau_of_persons_with_reference
    from order_agreement
    group by collection_key

),

-- one row per author and run: the score by the reference on the documents that both judged, and on all
reference_scores as (

    select
        compared_runs.collection_key,
        compared_runs.compared_author_key,
        compared_runs.run_key,
        {{ comparable('compared_runs.true_score') }} as score,
        {{ comparable('run_scores.score_all_topics') }} as full_score
    from compared_runs
    inner join collections using (collection_key)
    inner join run_scores
        on
            compared_runs.run_key = run_scores.run_key
            and collections.main_measure = run_scores.measure

),

-- one row per author: how both order the runs
taus_of_reference as (

    select
        one.collection_key,
        one.compared_author_key,
        {{ kendall_tau_b(
            'sum(sign(one.score - other.score) * sign(one.full_score - other.full_score))',
            'sum(abs(sign(one.score - other.score)))',
            'sum(abs(sign(one.full_score - other.full_score)))'
        ) }} as kendall_tau
    from reference_scores as one
    inner join reference_scores as other
        on
            one.collection_key = other.collection_key
            and one.compared_author_key = other.compared_author_key
            and one.run_key < other.run_key
    group by all

),

-- one row per author and group of runs that may win: how likely chance alone wins them as much
won as (

    select
        *,
        count(score_won / nullif(standard_error, 0)) over (
            partition by collection_key, compared_author_key
        ) as n_groups,
        {{ t_p_value('(score_won / nullif(standard_error, 0))', '(n_topics - 1)') }} as p_value
    from favours
    where grouped_by <> 'run'

),

-- one row per author: the group that it favours most beyond chance, by Bonferroni's correction, and the runs that use its
-- model
favoured as (

    select
        collection_key,
        compared_author_key,
        cast(max(n_groups) as integer) as n_groups,
        cast(
            count(*) filter (where p_value * n_groups < 0.05 and score_won > 0) as integer
        ) as n_favoured,
        arg_max(group_name, score_won) filter (where p_value * n_groups < 0.05 and score_won > 0) as favoured,
        max(score_won) filter (where p_value * n_groups < 0.05 and score_won > 0) as favoured_score_won,
        max(n_runs) filter (where grouped_by = 'model') as n_runs_of_model,
        max(true_place - place) filter (where grouped_by = 'model') as model_places_won,
        {% for end, sign in [('low', '-'), ('high', '+')] %}
            max(score_won {{ sign }} t_quantiles.t_95 * standard_error) filter (where grouped_by = 'model')
                as model_score_won_{{ end }},
        {% endfor %}
        max(score_won) filter (where grouped_by = 'model') as model_score_won
    from won
    left join t_quantiles on {{ has_t_quantiles('won.n_topics - 1') }}
    group by all

),

-- one row per author: the error of scores whose holes it fills, rectified, beside the errors without labels
errors as (

    select
        authors.collection_key,
        authors.author_key,
        max(estimator_errors.mae) filter (where estimator = '{{ rectified_by() }}' || authors.author) as rectified_mae,
        max(estimator_errors.mae) filter (where estimator = 'unadjusted') as unadjusted_mae,
        max(estimator_errors.mae) filter (where estimator = 'expected_relevance') as expected_mae
    from authors
    inner join estimator_errors using (collection_key)
    where
        estimator_errors.level = 'organization'
        and estimator_errors.pool_key = 0
        and estimator_errors.unjudged = 'nonrelevant'
        and estimator_errors.measure = {{ verdict_cutoff_measure() }}
    group by all

),

-- one row per author that is compared with the reference
described as (

    select
        authors.collection_key,
        authors.author_key,
        common_grades.most_common_grade_share,
        constant_topics.constant_topics_share,
        nearest.nearest_author,
        nearest.nearest_kappa,
        cast(coalesce(common.n_pairs, 0) as bigint) as n_common,
        common.n_pairs / reference_grades.n_judged as share_of_reference,
        common.kappa,
        {{ interval_of_95('common.kappa', 'common.standard_error', 'kappa_quantile', 'kappa', -1, 1) }},
        twice.kappa as kappa_judged_twice,
        persons.* exclude (collection_key),
        above_persons.kappa_above_persons,
        {{ interval_of_95(
            'above_persons.kappa_above_persons', 'above_persons.standard_error', 'persons_quantile', 'kappa_above_persons'
        ) }},
        taus.kendall_tau,
        {{ interval_of_95('taus.kendall_tau', 'taus.kendall_tau_error', 'tau_quantile', 'kendall_tau', -1, 1) }},
        taus.kendall_tau_of_best,
        {{ interval_of_95(
            'taus.kendall_tau_of_best', 'taus.kendall_tau_of_best_error', 'tau_quantile', 'kendall_tau_of_best', -1, 1
        ) }},
        taus_of_reference.kendall_tau as kendall_tau_of_reference,
        taus_twice.kendall_tau as kendall_tau_judged_twice,
        orders_of_persons.* exclude (collection_key),
        differing_pairs.n_differ_tukey as n_differ,
        differing_pairs.n_differ_by_reference_tukey as n_differ_by_reference,
        differing_pairs.n_same_direction_tukey as n_same_direction,
        differing_pairs.n_opposite_directions_tukey as n_opposite_directions,
        favoured.* exclude (collection_key, compared_author_key),
        errors.rectified_mae,
        errors.unadjusted_mae,
        errors.expected_mae
    from authors
    left join common_grades using (collection_key, author_key)
    left join common_grades as reference_grades
        on
            authors.collection_key = reference_grades.collection_key
            and reference_grades.author_key = 0
    left join constant_topics using (collection_key, author_key)
    left join nearest using (collection_key, author_key)
    {% for alias, relation, documents in [
        ('common', 'kappas', 'common'), ('twice', 'kappas', 'judged twice'),
        ('taus', 'order_agreement', 'common'), ('taus_twice', 'order_agreement', 'judged twice'),
        ('taus_of_reference', 'taus_of_reference', none),
        ('above_persons', 'above_persons', none), ('differing_pairs', 'differing_pairs', none),
        ('favoured', 'favoured', none)
    ] %}
        left join {{ relation }}{{ ' as ' ~ alias if alias != relation }}
            on
                authors.collection_key = {{ alias }}.collection_key
                and authors.author_key = {{ alias }}.compared_author_key
                {{ "and " ~ alias ~ ".documents = '" ~ documents ~ "'" if documents }}
    {% endfor %}
    left join persons on authors.collection_key = persons.collection_key
    left join orders_of_persons on authors.collection_key = orders_of_persons.collection_key
    left join errors using (collection_key, author_key)
    {% for quantile, n_parts in [
        ('kappa_quantile', 'common.n_parts'), ('persons_quantile', 'above_persons.n_topics'),
        ('tau_quantile', 'taus.n_topics')
    ] %}
        left join t_quantiles as {{ quantile }}
            on {{ quantile }}.degrees_of_freedom = least({{ n_parts }} - 1, {{ most_degrees_of_freedom() }})
    {% endfor %}

)

select * from described
