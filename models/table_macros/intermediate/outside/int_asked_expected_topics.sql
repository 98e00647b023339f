{{ config(arguments=['collection', 'asked', 'is_required']) }}
-- The expected scores of topics by a measure that has them. For another measure they are an error if `is_required`, and
-- mean nothing otherwise: nobody reads them.

with

{{ imports(
    'int_collections', 'int_runs', 'int_topics', 'int_judged_topics', 'int_pooled_states', 'int_expected_documents',
    'int_pool_runs where pool_key = 0'
) }},

{{ asked_collection(['collection', 'asked'], no_expected_score()) }},

{{ targets() }},

-- one row per run, judged topic that it answers and target. A pooled run that is scored as if it were not pooled is judged
-- without the contributions of its organization.
lists as (

    select
        targets.target,
        runs.run_key,
        runs.run_id,
        run_topics.topic_key,
        run_topics.n_retrieved,
        pooled_states.is_pooled,
        runs.organization_key,
        case when pooled_states.is_pooled and targets.target = 'if_pooled' then runs.organization_key end
            as left_out_organization_key
    from asked_collection
    cross join targets
    inner join runs using (collection_key)
    inner join {{ ref('int_run_topics') }} as run_topics using (collection_key, run_key)
    inner join judged_topics using (collection_key, topic_key)
    inner join pooled_states using (run_key)

),

-- one row: whether a run is known to be pooled. Otherwise nothing was learned of unjudged documents.
known_pool as (

    select count(*) > 0 as is_known
    from asked_collection
    inner join pool_runs using (collection_key)

),

-- the judgements of the qrels, with the organization with which each leaves
qrels as (

    select
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_relevant,
        judgements.sole_organization_key
    from asked_collection
    inner join {{ ref('int_contributed_judgements') }} as judgements using (collection_key)
    where judgements.is_judged

),

-- the documents that nobody judged, over the lists of all loaded runs
unjudged_anywhere as (

    select
        expected_documents.topic_key,
        expected_documents.doc_key,
        expected_documents.probability
    from asked_collection
    inner join expected_documents using (collection_key)

),

-- the unjudged documents of each list with their probabilities, and with the weight of their rank in an interval
expected as (

    select
        lists.target,
        relevance.run_key,
        relevance.topic_key,
        relevance.doc_key,
        relevance.rank,
        relevance.support,
        relevance.probability,
        lists.left_out_organization_key,
        case lists.target
            when 'if_judged' then unjudged_anywhere.probability
            else avg(relevance.probability) over (
                partition by lists.left_out_organization_key, relevance.topic_key, relevance.doc_key
            )
        end as mean_probability,
        {{ weight_in_interval('asked', 'relevance.rank') }} as weight
    from asked_collection
    inner join {{ ref('int_expected_relevance') }} as relevance using (collection_key)
    inner join lists
        on
            relevance.run_key = lists.run_key
            and relevance.topic_key = lists.topic_key
            and {{ is_unjudged_for('lists.target', 'relevance') }}
    left join unjudged_anywhere
        on
            relevance.topic_key = unjudged_anywhere.topic_key
            and relevance.doc_key = unjudged_anywhere.doc_key
    where relevance.pool_key = 0

),

-- how probable each grade is, by organization that leaves, and what it adds to the probability that ERR's reader stops
grades as (

    select
        *,
        {{ err_satisfaction('level', asked_parameter('asked', 'max_rel', 4)) }}
        - {{ err_satisfaction('level - 1', asked_parameter('asked', 'max_rel', 4)) }} as satisfaction
    from {{ ref('int_unjudged_grades') }}(collection)

),

levels as (

    select distinct level
    from grades

),

-- one row per organization that leaves: means of these documents, from the steps between grades
means as (

    select
        left_out_organization_key,
        sum(share_of_relevant) as relevant_gain,
        -- the mean of the squared gain, from the steps between the squares of grades
        sum(share_of_relevant * (2 * level - 1)) as squared_relevant_gain,
        sum(share_of_others) as other_gain,
        -- a reader by RR stops at any relevant document
        case when {{ asked_name('asked') }} = 'RR' then 1 else sum(share_of_relevant * satisfaction) end
            as relevant_satisfaction,
        case when {{ asked_name('asked') }} = 'RR' then 0 else sum(share_of_others * satisfaction) end
            as other_satisfaction
    from grades
    group by left_out_organization_key

),

-- the documents of each list down to the cutoff that are judged without the organization and that count, and the unjudged
-- ones that have a probability. By Bpref, documents that are not relevant count too.
documents as (

    select
        lists.target,
        lists.run_key,
        lists.topic_key,
        judged_rankings.rank,
        false as is_expected,
        cast(judged_rankings.is_relevant as integer) as probability,
        cast(greatest(judged_rankings.grade, 0) as double) as gain,
        case
            when {{ asked_name('asked') }} = 'RR' then probability
            else {{ err_satisfaction('judged_rankings.grade', asked_parameter('asked', 'max_rel', 4)) }}
        end as satisfaction
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (collection_key)
    inner join lists using (run_key, topic_key)
    inner join qrels using (topic_key, doc_key)
    where
        judged_rankings.rank <= {{ asked_cutoff('asked') }}
        and (judged_rankings.is_relevant or judged_rankings.grade > 0 or {{ asked_name('asked') }} = 'Bpref')
        and {{ stays_judged('qrels.sole_organization_key', 'lists.left_out_organization_key') }}
    union all
    select
        expected.target,
        expected.run_key,
        expected.topic_key,
        expected.rank,
        true as is_expected,
        expected.probability,
        expected.probability * means.relevant_gain + (1 - expected.probability) * means.other_gain as gain,
        expected.probability * means.relevant_satisfaction
        + (1 - expected.probability) * means.other_satisfaction as satisfaction
    from expected
    inner join means on expected.left_out_organization_key is not distinct from means.left_out_organization_key
    where expected.rank <= {{ asked_cutoff('asked') }}

),

-- one row per topic and organization that leaves, and one per topic where none does
left_out as (

    select distinct
        topic_key,
        left_out_organization_key
    from lists

),

-- the judgements that stay
staying as (

    select
        left_out.topic_key,
        left_out.left_out_organization_key,
        qrels.grade,
        qrels.is_relevant
    from left_out
    inner join qrels
        on
            left_out.topic_key = qrels.topic_key
            and {{ stays_judged('qrels.sole_organization_key', 'left_out.left_out_organization_key') }}

),

-- how many of them are relevant and how many are not, and how many have each grade at least
staying_counts as (

    select
        topic_key,
        left_out_organization_key,
        count(*) filter (where is_relevant) as n_relevant,
        count(*) filter (where not is_relevant) as n_others
    from staying
    group by all

),

staying_at_levels as (

    select
        staying.topic_key,
        staying.left_out_organization_key,
        levels.level,
        count(*) filter (where staying.grade >= levels.level) as n_documents
    from staying
    cross join levels
    group by all

),

-- the documents that are judged then, each with its probability in the mean of these lists: those that leave with an
-- organization, or those that nobody judged. In an ideal ranking, those of other runs of the organization make the errors
-- of its runs larger.
newly_judged as (

    select distinct
        target,
        left_out_organization_key,
        topic_key,
        doc_key,
        mean_probability
    from expected
    where
        left_out_organization_key is not null
        and {{ asked_name('asked') }} <> 'nDCG'
    union all
    select
        'if_judged' as target,
        null as left_out_organization_key,
        topic_key,
        doc_key,
        probability as mean_probability
    from unjudged_anywhere

),

newly_judged_counts as (

    select
        target,
        left_out_organization_key,
        topic_key,
        count(*) as n_documents,
        sum(mean_probability) as n_relevant
    from newly_judged
    group by all

),

-- one row per list: the documents that other lists have judged then, and the number of relevant documents and of others,
-- with those that are expected
totals as (

    select
        lists.target,
        lists.run_key,
        lists.topic_key,
        any_value(lists.left_out_organization_key) as left_out_organization_key,
        coalesce(any_value(newly_judged_counts.n_documents) - count(expected.mean_probability), 0) as n_elsewhere,
        coalesce(any_value(newly_judged_counts.n_relevant) - coalesce(sum(expected.mean_probability), 0), 0)
            as n_relevant_elsewhere,
        coalesce(sum(expected.probability), 0) + n_relevant_elsewhere as n_expected,
        count(expected.rank) + n_elsewhere - n_expected as n_unexpected,
        coalesce(any_value(staying_counts.n_relevant), 0) as n_known_relevant,
        n_known_relevant + n_expected as n_relevant,
        coalesce(any_value(staying_counts.n_others), 0) + n_unexpected as n_others
    from lists
    left join staying_counts
        on
            lists.topic_key = staying_counts.topic_key
            and lists.left_out_organization_key is not distinct from staying_counts.left_out_organization_key
    left join expected
        on
            lists.target = expected.target
            and lists.run_key = expected.run_key
            and lists.topic_key = expected.topic_key
    left join newly_judged_counts
        on
            lists.target = newly_judged_counts.target
            and lists.topic_key = newly_judged_counts.topic_key
            and lists.left_out_organization_key is not distinct from newly_judged_counts.left_out_organization_key
    group by all

),

-- one row per number of documents: their discounted gain at the top of a ranking, if each has gain 1
discounts as (

    select
        n_documents,
        coalesce(
            sum({{ discounted_gain('n_documents', 1) }}) filter (where n_documents > 0) over (order by n_documents), 0
        ) as gain,
        {{ discounted_gain('(n_documents + 1)', 1) }} as gain_of_next
    from (
        select unnest(range(0, cast(max(n_relevant + n_others) as integer) + 2)) as n_documents
        from totals
    ) as numbers

),

-- one row per list and level: the number of documents of this grade at least, known ones and with those that are
-- expected, down to the cutoff
ideal_levels as (

    select
        totals.target,
        totals.run_key,
        totals.topic_key,
        least(staying_at_levels.n_documents, {{ asked_cutoff('asked') }}) as n_known,
        least(
            staying_at_levels.n_documents + grades.share_of_relevant * totals.n_expected
            + grades.share_of_others * totals.n_unexpected,
            {{ asked_cutoff('asked') }}
        ) as n_documents
    from totals
    inner join staying_at_levels
        on
            totals.topic_key = staying_at_levels.topic_key
            and totals.left_out_organization_key is not distinct from staying_at_levels.left_out_organization_key
    inner join grades
        on
            staying_at_levels.level = grades.level
            and totals.left_out_organization_key is not distinct from grades.left_out_organization_key

),

-- one row per list: the discounted gain of the ideal ranking of known documents, and of the expected one, where a part of
-- a document has a part of a gain
ideals as (

    select
        ideal_levels.target,
        ideal_levels.run_key,
        ideal_levels.topic_key,
        sum(known.gain) as known_gain,
        sum(
            discounts.gain + (ideal_levels.n_documents - discounts.n_documents) * discounts.gain_of_next
        ) as discounted_gain
    from ideal_levels
    inner join discounts as known on ideal_levels.n_known = known.n_documents
    inner join discounts on floor(ideal_levels.n_documents) = discounts.n_documents
    group by all

),

-- the same rows as documents, as a part of the relevant documents: a document that is expected to be relevant is one
-- of them itself if it is
weighed as (

    select
        documents.*,
        totals.n_relevant,
        totals.n_others,
        documents.probability
        / nullif(
            totals.n_relevant + case when documents.is_expected then 1 - documents.probability else 0 end, 0
        ) as part
    from documents
    inner join totals using (target, run_key, topic_key)

),

-- the same rows with what is expected above
cumulated as (

    select
        *,
        coalesce(sum(part) over above, 0) as parts_above,
        coalesce(sum(1 - probability) over above, 0) as others_above,
        -- a product, computed as a sum of logarithms; never 0, which has no logarithm
        exp(coalesce(sum(ln(greatest(1 - satisfaction, 1e-300))) over above, 0)) as p_unsatisfied
    from weighed
    window
        above as (
            partition by target, run_key, topic_key
            order by rank
            rows between unbounded preceding and 1 preceding
        )

),

-- one row per list: the expected score
expected_scores as (

    select
        lists.target,
        lists.run_key,
        lists.topic_key,
        coalesce(
            case {{ asked_name('asked') }}
                when 'P' then sum(cumulated.probability) / {{ asked_cutoff('asked') }}
                when 'RBP'
                    then sum(
                        cumulated.probability
                        * {{ rbp_weight(asked_parameter('asked', 'p', 0.8), 'cumulated.rank') }}
                    )
                when 'R' then sum(cumulated.part)
                when 'AP'
                    then sum(
                        cumulated.part / cumulated.rank * (1 + cumulated.n_relevant * cumulated.parts_above)
                    )
                when 'Bpref'
                    then sum(
                        cumulated.part * (
                            1 - coalesce(
                                least(cumulated.others_above, cumulated.n_relevant)
                                / nullif(least(cumulated.n_others, cumulated.n_relevant), 0),
                                0
                            )
                        )
                    )
                when 'ERR' then sum(cumulated.p_unsatisfied * cumulated.satisfaction / cumulated.rank)
                when 'RR' then sum(cumulated.p_unsatisfied * cumulated.satisfaction / cumulated.rank)
                when 'nDCG'
                    then
                        sum({{ discounted_gain('cumulated.rank', 'cumulated.gain') }})
                        / nullif(any_value(ideals.discounted_gain), 0)
            end,
            0
        ) as expected_score,
        any_value(lists.left_out_organization_key) as left_out_organization_key,
        any_value(totals.n_known_relevant) as n_known_relevant,
        any_value(totals.n_relevant) as n_relevant,
        any_value(totals.n_elsewhere) as n_elsewhere,
        any_value(totals.n_relevant_elsewhere) as n_relevant_elsewhere,
        any_value(ideals.known_gain) as known_gain,
        any_value(ideals.discounted_gain) as ideal_gain
    from lists
    inner join totals using (target, run_key, topic_key)
    left join cumulated using (target, run_key, topic_key)
    left join ideals using (target, run_key, topic_key)
    group by all

),

-- the same rows with what the measure divides by: as it is known, as it is expected, and what one more relevant document
-- adds to it
divided as (

    select
        expected_scores.*,
        case {{ asked_name('asked') }}
            when 'AP' then expected_scores.n_known_relevant
            when 'R' then expected_scores.n_known_relevant
            when 'nDCG' then coalesce(expected_scores.known_gain, 0)
            else 1
        end as known_total,
        case {{ asked_name('asked') }}
            when 'AP' then expected_scores.n_relevant
            when 'R' then expected_scores.n_relevant
            when 'nDCG' then coalesce(expected_scores.ideal_gain, 0)
            else 1
        end as total,
        coalesce((total - known_total) / nullif(expected_scores.n_relevant - expected_scores.n_known_relevant, 0), 0)
            as total_of_a_document
    from expected_scores

),

-- one row per list with an unjudged document down to the cutoff: these documents, with the variance of a gain for each
-- unit
unjudged as (

    select
        expected.target,
        expected.run_key,
        expected.topic_key,
        list({
            'doc_key': expected.doc_key,
            'rank': expected.rank,
            'support': expected.support,
            'weight': expected.weight,
            'probability': expected.probability,
            'variance': expected.probability * case {{ asked_name('asked') }}
                when 'nDCG' then means.squared_relevant_gain / nullif(pow(means.relevant_gain, 2), 0)
                else 1
            end - pow(expected.probability, 2)
        }) as documents
    from expected
    inner join means on expected.left_out_organization_key is not distinct from means.left_out_organization_key
    where expected.rank <= {{ asked_cutoff('asked') }}
    group by all

),

-- one row per list, where no run is known to be pooled: the number of judged documents down to the cutoff
judged_counts as (

    select
        lists.target,
        lists.run_key,
        lists.topic_key,
        count(*) as n_judged
    from known_pool
    inner join lists on not known_pool.is_known
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (run_key, topic_key)
    inner join qrels using (topic_key, doc_key)
    where judged_rankings.rank <= {{ asked_cutoff('asked') }}
    group by all

),

named_topics as (

    select
        topics.topic_key,
        topics.topic_id
    from asked_collection
    inner join topics using (collection_key)

),

-- one row per list, with its names and its expected score
named_lists as (

    select
        lists.target,
        lists.run_key,
        lists.topic_key,
        lists.run_id,
        lists.is_pooled,
        lists.organization_key,
        lists.left_out_organization_key is not null as is_left_out,
        named_topics.topic_id,
        case
            when
                known_pool.is_known
                or judged_counts.n_judged = least(lists.n_retrieved, {{ asked_cutoff('asked') }})
                then divided.expected_score
        end as expected_score,
        divided.known_total,
        divided.total,
        divided.total_of_a_document,
        divided.n_elsewhere,
        divided.n_relevant_elsewhere,
        unjudged.documents as unjudged_documents
    from lists
    cross join known_pool
    inner join named_topics using (topic_key)
    inner join divided using (target, run_key, topic_key)
    left join judged_counts using (target, run_key, topic_key)
    left join unjudged using (target, run_key, topic_key)

)

select * from named_lists
