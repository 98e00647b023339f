with

{{ imports('int_pooled_runs') }},

score_changes as (

    select * from {{ ref('int_score_changes') }}
    where
        measure = {{ verdict_measure() }}
        and unjudged = 'nonrelevant'
        and judgement_set = 'without_organization'
        and score is not null

),

-- the pooled runs: their scores with all judgements, and without the documents that their organization alone
-- contributed
scores as (

    select
        score_changes.collection_key,
        score_changes.run_key,
        pooled_runs.organization_key,
        {{ comparable('score_changes.full_score') }} as full_score,
        {{ comparable('score_changes.score') }} as score
    from score_changes
    inner join pooled_runs using (run_key)

),

-- each run with every pooled run of another organization, which keeps its full score: which of the two is ahead
places as (

    select
        scores.collection_key,
        scores.run_key,
        sign(scores.full_score - rivals.full_score) as place,
        sign(scores.score - rivals.full_score) as place_left_out
    from scores
    inner join scores as rivals
        on
            scores.collection_key = rivals.collection_key
            and scores.organization_key <> rivals.organization_key

),

-- one row per pooled run: number of other runs ahead of it, before and after its organization has left
ranks as (

    select
        collection_key,
        run_key,
        count(*) as n_others,
        count(*) filter (where place < 0) as n_ahead,
        count(*) filter (where place_left_out < 0) as n_ahead_left_out,
        sum(place * place_left_out) as concordance,
        count(*) filter (where place <> 0) as n_untied,
        count(*) filter (where place_left_out <> 0) as n_untied_left_out
    from places
    group by all

),

-- one row per collection with enough pairs: the agreement of both orders, and the run with the largest fall
orders as (

    select
        collection_key,
        {{ kendall_tau_b('sum(concordance)', 'sum(n_untied)', 'sum(n_untied_left_out)') }} as kendall_tau,
        max((n_ahead_left_out - n_ahead) / n_others) as largest_fall,
        arg_max(run_key, ((n_ahead_left_out - n_ahead) / n_others, -run_key)) as run_key
    from ranks
    group by collection_key
    having sum(n_untied) >= 2 * {{ least_pairs_of_an_order() }}

)

select * from orders
