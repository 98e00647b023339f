-- question: How large must a difference be to be significant?
-- about: runs
--
-- All pairs of runs by their difference, in steps of 0.02, and the share of
-- them that Tukey's test finds different (p < 0.05). The result is a rule of
-- thumb for this collection and measure only.
--
-- parameter: collection
-- parameter: measure = 'AP@1000'
with

decisions as (

    select * from papers.decision_matrix($collection, $measure)

),

-- one row per pair of runs
pairs as (

    select
        cast(floor(round(abs(difference), 9) / 0.02) as integer) as step,
        performance_differs_tukey as is_significant
    from decisions

),

-- one row per step with a pair
steps as (

    select
        step * 0.02 as difference_from,
        (step + 1) * 0.02 as difference_below,
        count(*) as n_pairs,
        avg(cast(is_significant as integer)) as significant_share
    from pairs
    group by step

)

select * from steps
order by difference_from

-- sample: --collection deep-pool
-- ┏━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
-- ┃ difference_from ┃ difference_below ┃ n_pairs ┃ significant_share ┃
-- ┡━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
-- │            0.00 │             0.02 │      59 │            0.0000 │
-- │            0.02 │             0.04 │      61 │            0.0000 │
-- │            0.04 │             0.06 │      58 │            0.7414 │
-- │            0.06 │             0.08 │      45 │            1.0000 │
-- │            0.08 │             0.10 │      40 │            1.0000 │
-- └─────────────────┴──────────────────┴─────────┴───────────────────┘
-- 5 of 11 rows
