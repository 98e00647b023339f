with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_topic_counts', 'int_run_topics',
    'int_line_figures', 'int_pool_edges', 'int_first_ranks', 'int_run_mismatches',
    'int_contradicted_rankings', 'int_equal_runs', 'int_pool_parts', 'int_pool_depths', 'int_tied_topics'
) }},

changes as (

    select * from {{ ref('int_score_changes') }}
    where
        measure = {{ verdict_measure() }}
        and unjudged = 'nonrelevant'
        and judgement_set = 'without_organization'

),

-- one row per run that answers a judged topic
answers as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        count(*) as n_topics,
        min(run_topics.n_retrieved) as least_documents,
        median(run_topics.n_retrieved) as median_documents,
        count(*) filter (where tied_topics.is_constant) as n_constant_topics,
        coalesce(sum(tied_topics.ap_loss), 0) / count(*) as ap_loss_by_ties,
        coalesce(sum(tied_topics.ap_gain), 0) / count(*) as ap_gain_by_ties,
        count(contradicted_rankings.topic_key) as n_contradicted_topics,
        count(*) filter (where line_figures.is_led_by_topic) as n_own_topics,
        sum(line_figures.n_lines - run_topics.n_retrieved) as n_repeated
    from run_topics
    inner join line_figures using (run_key, topic_key)
    left join contradicted_rankings using (run_key, topic_key)
    left join tied_topics using (run_key, topic_key)
    group by all

),

-- one row per collection: number of documents per topic of its median run
typical as (

    select
        collection_key,
        median(median_documents) as median_documents
    from answers
    group by collection_key

),

-- one row per run that answers a judged topic of a collection with a pool depth
edges as (

    select
        run_key,
        sum(n_within_in_qrels) / sum(n_within) as share_within,
        sum(n_beyond_in_qrels) / nullif(sum(n_beyond), 0) as share_beyond,
        max(n_within - n_within_in_qrels) as n_gaps
    from pool_edges
    group by run_key

),

described as (

    select
        collections.collection_id,
        runs.run_id,
        runs.organization,
        nullif(runs.n_documents_left_out, 0) as n_documents_left_out,
        pooled_states.is_pooled,
        pooled_states.looks_pooled,
        cast(coalesce(answers.n_topics, 0) as integer) as n_topics,
        cast(nullif(topic_counts.n_judged_topics, 0) as integer) as n_judged_topics,
        cast(coalesce(answers.n_topics, 0) / nullif(topic_counts.n_judged_topics, 0) as double) as topic_share,
        cast(answers.least_documents as integer) as least_documents,
        cast(answers.median_documents as double) as median_documents,
        cast(answers.median_documents / typical.median_documents as double) as document_share,
        cast(coalesce(answers.n_repeated, 0) as bigint) as n_repeated_documents,
        answers.n_constant_topics,
        cast(answers.n_constant_topics / answers.n_topics as double) as constant_score_share,
        cast(answers.ap_loss_by_ties as double) as ap_loss_by_ties,
        cast(answers.ap_gain_by_ties as double) as ap_gain_by_ties,
        answers.n_contradicted_topics,
        cast(answers.n_contradicted_topics / answers.n_topics as double) as contradicted_share,
        answers.n_own_topics,
        cast(answers.n_own_topics / answers.n_topics as double) as own_topic_share,
        equal_runs.same_as_run_id,
        run_mismatches.mismatch,
        cast(edges.share_within as double) as in_qrels_share_within,
        cast(edges.share_beyond as double) as in_qrels_share_beyond,
        cast(edges.n_gaps as integer) as n_gaps,
        pooled_states.n_tolerated_gaps,
        -- nobody knows what is unjudged where the qrels list relevant documents only
        case
            when not {{ lists_relevant_documents('pool_depths.judging') }}
                then 100.0 * first_ranks.n_unjudged / first_ranks.n_documents
        end as unjudged_percent,
        {{ if_others_are_known(
            '100.0 * first_ranks.n_unjudged_without_organization / first_ranks.n_on_pooled_topics'
        ) }} as unjudged_left_out_percent,
        changes.loss_in_percent_of_full_score as loss_in_percent
    from runs
    inner join collections using (collection_key)
    left join topic_counts using (collection_key)
    inner join pooled_states using (run_key)
    inner join pool_parts on runs.collection_key = pool_parts.collection_key
    inner join pool_depths on runs.collection_key = pool_depths.collection_key
    left join answers using (run_key)
    left join equal_runs using (run_key)
    left join run_mismatches using (run_key)
    left join typical using (collection_key)
    left join edges using (run_key)
    left join first_ranks using (run_key)
    left join changes using (run_key)

),

-- the same rows, with the remarks for readers who cite a score of the run
remarked as (

    select
        * exclude (
            n_documents_left_out, n_judged_topics, n_constant_topics, n_contradicted_topics, n_own_topics,
            unjudged_percent, unjudged_left_out_percent, loss_in_percent
        ),
        coalesce(
            nullif(
                concat_ws(
                    '; ',
                    case
                        when n_judged_topics is null then 'nothing is judged, so no score means anything yet'
                        when mismatch is not null then mismatch
                        when n_topics = 0 then 'answers none of the ' || n_judged_topics || ' judged topics'
                        when n_topics < n_judged_topics
                            then
                                'answers ' || n_topics || ' of ' || n_judged_topics
                                || ' judged topics: score is the mean over these, score_all_topics counts the others '
                                || 'as 0'
                    end,
                    case
                        when mismatch is not null then null
                        when not is_pooled and unjudged_percent > 0
                            then
                                'was not pooled: ' || {{ number_in_words('unjudged_percent') }}
                                || ' % of its first {{ n_first_ranks() }} documents are unjudged, and its scores are '
                                || 'too low where some of these are relevant'
                        when not is_pooled and n_topics > 0
                            then 'was not pooled; its first {{ n_first_ranks() }} documents are judged all the same'
                        when n_topics > 0 and unjudged_percent > 0 and is_pooled is null
                            then
                                'it is not known whether it was pooled: ' || {{ number_in_words('unjudged_percent') }}
                                || ' % of its first {{ n_first_ranks() }} documents are unjudged'
                    end,
                    case
                        when is_pooled and unjudged_left_out_percent > unjudged_percent
                            then
                                'without its organization in the pool, '
                                || {{ number_in_words('unjudged_left_out_percent') }}
                                || ' % of its first {{ n_first_ranks() }} documents would be unjudged'
                                || coalesce(
                                    ' and its AP would change by ' || {{ number_in_words('-loss_in_percent') }} || ' %',
                                    ''
                                )
                    end,
                    case
                        when is_pooled and not looks_pooled
                            then
                                'is declared as pooled, but the qrels lack ' || n_gaps
                                || ' of its documents down to the pool depth on a topic'
                        when looks_pooled and not is_pooled
                            then 'counts as not pooled, but the qrels hold its documents down to the pool depth'
                    end,
                    case
                        when n_constant_topics > 0
                            then
                                'gives 90 % or more of the documents of a topic the same score in ' || n_constant_topics
                                || ' of ' || n_topics || ' topics: document ids decide their order, and another '
                                || 'order of tied documents could lower its AP by '
                                || format('{:.4f}', ap_loss_by_ties) || ' or raise it by '
                                || format('{:.4f}', ap_gain_by_ties)
                    end,
                    case
                        when n_contradicted_topics > 0
                            then
                                'its ranks in the file contradict its scores in ' || n_contradicted_topics || ' of '
                                || n_topics || ' topics: scores count'
                    end,
                    case
                        when n_own_topics > 0
                            then
                                'its first document has the id of the topic in ' || n_own_topics || ' of ' || n_topics
                                || ' topics'
                    end,
                    n_documents_left_out || ' of its documents do not count for their topics and were left out',
                    'has the same rankings as run ' || same_as_run_id,
                    case
                        when n_repeated_documents > 0
                            then 'repeats documents on ' || n_repeated_documents || ' lines: each counts once'
                    end,
                    case
                        when document_share < 1
                            then
                                'returns ' || {{ number_in_words('median_documents') }} || ' documents for a topic, '
                                || {{ number_in_words('100 * document_share') }} || ' % of the typical run'
                    end
                ),
                ''
            ),
            'nothing to note'
        ) as remarks
    from described

)

select * from remarked
