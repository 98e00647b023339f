-- question: Do rankings without judgements follow qrels?
-- about: papers
--
-- Baillie et al. 2008, section 4.2.4: a row per pair of rankings of the runs of
-- a judged collection, with Kendall's tau-b between the two
-- (docs/decisions/without_judgements.md). qrels ranks by a measure with the
-- qrels. pseudo_qrels ranks by the same measure with papers.pseudo_qrels_scores
-- and its share, repetitions and seed. popularity ranks by
-- papers.run_popularity, and assessment by a measure of assessment. A topic
-- that a run does not answer has 0. kendall_tau is null where a ranking has the
-- same value for all runs.
--
-- parameter: collection
-- parameter: measure = 'AP'
-- parameter: share = 0.1
-- parameter: repetitions = 10
-- parameter: seed = 1
-- parameter: assessed = 'A@1000'
with

judged_scores as (

    select * from {{ ref('run_scores') }}($collection, $measure)

),

assessments as (

    select * from {{ ref('run_scores') }}($collection, $assessed)

),

pseudo_qrels_scores as (

    select * from {{ ref('pseudo_qrels_scores') }}(
        $collection,
        $measure,
        share := cast($share as double),
        repetitions := cast($repetitions as integer),
        seed := cast($seed as integer)
    )

),

run_popularity as (

    select * from {{ ref('run_popularity') }}($collection)

),

-- one row per ranking of the runs and run; scores that are equal except for float noise are equal
ranked as (

    select
        'qrels' as ranking,
        run_id,
        {{ comparable('score_all_topics') }} as score
    from judged_scores
    union all
    select
        'assessment' as ranking,
        run_id,
        {{ comparable('score_all_topics') }} as score
    from assessments
    union all
    select
        'pseudo_qrels' as ranking,
        run_id,
        {{ comparable('score_all_topics') }} as score
    from pseudo_qrels_scores
    union all
    select
        'popularity' as ranking,
        run_id,
        {{ comparable('popularity') }} as score
    from run_popularity

),

-- one row per ranking, run and other run: which of the two is higher, as 1, 0 or -1
orders as (

    select
        this.ranking,
        this.run_id,
        other.run_id as other_run_id,
        sign(this.score - other.score) as score_order
    from ranked as this
    inner join ranked as other
        on
            this.ranking = other.ranking
            and this.run_id <> other.run_id

),

-- one row per ranking and other ranking, by name
correlations as (

    select
        this.ranking,
        other.ranking as other_ranking,
        cast(count(distinct this.run_id) as integer) as n_runs,
        cast({{ kendall_tau_b(
            'sum(this.score_order * other.score_order)',
            'count(*) filter (where this.score_order <> 0)',
            'count(*) filter (where other.score_order <> 0)'
        ) }} as double) as kendall_tau
    from orders as this
    inner join orders as other
        on
            this.run_id = other.run_id
            and this.other_run_id = other.other_run_id
            and this.ranking < other.ranking
    group by all

),

named as (

    select
        $collection as collection_id,
        $measure as measure,
        ranking,
        other_ranking,
        n_runs,
        kendall_tau
    from correlations

)

select * from named
