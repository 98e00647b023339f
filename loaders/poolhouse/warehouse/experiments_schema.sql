-- Tables that `poolhouse experiment` writes (schema experiments): one set of rows per collection and experiment,
-- from its last finished run. dbt does not write them; only staging models read them. Statements are repeatable.

create schema if not exists experiments;

-- One row per collection and experiment: its settings, the state of the collection (at the build that it
-- read), and the time of its end. n_topic_samples is null if no topics are drawn. Only `pools` has budgets and
-- strategies. Only `later` has judgements, the name of the file or author of the later ones; it draws nothing.
create table if not exists experiments.settings (
    collection_key integer not null,
    experiment varchar not null,
    n_samples integer not null,
    n_topic_samples integer,
    seed bigint,
    depth integer,
    widths integer [] not null,
    common_topic_counts integer [],
    fingerprint varchar not null,
    models_version varchar not null,
    finished_at timestamp not null,
    budgets bigint [],
    strategies varchar [],
    judgements varchar
);

-- One row per sample and run in it: the unpooled run and the pooled runs.
create table if not exists experiments.samples (
    collection_key integer not null,
    experiment varchar not null,
    population varchar not null,
    width integer not null,
    sample integer not null,
    run_key integer not null,
    role varchar not null
);

-- One row per sample, treatment of unjudged documents, measure and estimator.
create table if not exists experiments.estimates (
    collection_key integer not null,
    experiment varchar not null,
    population varchar not null,
    width integer not null,
    sample integer not null,
    unjudged varchar not null,
    measure varchar not null,
    estimator varchar not null,
    true_score double not null,
    estimate double not null
);

-- One row per sample, treatment, measure, number of common topics and estimator: the errors of the
-- estimates over the samples of topics.
create table if not exists experiments.topic_errors (
    collection_key integer not null,
    experiment varchar not null,
    population varchar not null,
    width integer not null,
    sample integer not null,
    unjudged varchar not null,
    measure varchar not null,
    n_topics integer not null,
    n_common_topics integer not null,
    estimator varchar not null,
    n_topic_samples integer not null,
    mean_error double not null,
    mean_absolute_error double not null,
    mean_squared_error double not null,
    n_smaller_adjusted_variance integer not null,
    has_smaller_variance_over_all_topics boolean,
    n_fallback integer
);

-- One row per sample, treatment, measure and number of common topics: the estimates from one sample
-- of topics, and the figures behind them.
create table if not exists experiments.topic_estimates (
    collection_key integer not null,
    experiment varchar not null,
    population varchar not null,
    width integer not null,
    sample integer not null,
    unjudged varchar not null,
    measure varchar not null,
    n_topics integer not null,
    n_common_topics integer not null,
    true_score double not null,
    unadjusted_score double not null,
    adjustment double not null,
    mixed_score double not null,
    sampled_score double not null,
    adjusted_score double not null,
    delta_variance double,
    true_variance double,
    sampled_standard_error double,
    adjusted_standard_error double,
    has_equal_deltas boolean not null,
    has_smaller_adjusted_variance boolean,
    is_adjustment_beyond_its_error boolean,
    mean_residual double,
    common_residual double,
    ratio_score double,
    ratio_standard_error double,
    is_ratio_fallback boolean,
    regression_score double,
    regression_standard_error double,
    is_regression_fallback boolean
);

-- One row per row of topic_estimates and confidence: the bounds of the bootstrap.
create table if not exists experiments.bootstrap_intervals (
    collection_key integer not null,
    experiment varchar not null,
    population varchar not null,
    width integer not null,
    sample integer not null,
    unjudged varchar not null,
    measure varchar not null,
    n_common_topics integer not null,
    confidence double not null,
    lower_bound double not null,
    upper_bound double not null
);

-- One row per strategy, budget and measure: what the pool has, and how its leaderboard agrees with the full one.
create table if not exists experiments.pools (
    collection_key integer not null,
    experiment varchar not null,
    strategy varchar not null,
    budget bigint not null,
    measure varchar not null,
    n_documents bigint not null,
    n_judged bigint not null,
    n_relevant bigint not null,
    n_relevant_of_all bigint not null,
    kendall_tau double,
    rbo double,
    mean_score double not null,
    mean_residual double,
    unjudged_10 double,
    unjudged_10_left_out double,
    seconds double not null
);

-- One row per strategy, budget, level, treatment, measure and estimator: errors for runs that leave the pool.
create table if not exists experiments.pool_errors (
    collection_key integer not null,
    experiment varchar not null,
    strategy varchar not null,
    budget bigint not null,
    level varchar not null,
    unjudged varchar not null,
    measure varchar not null,
    estimator varchar not null,
    n_runs integer not null,
    mean_error double not null,
    mae double not null,
    largest_error double not null
);

-- One row per run, measure and estimator: what was said before the later judgements, and what these leave possible.
create table if not exists experiments.later_estimates (
    collection_key integer not null,
    experiment varchar not null,
    run_key integer not null,
    is_pooled boolean,
    measure varchar not null,
    estimator varchar not null,
    estimate double,
    ci_95_low double,
    ci_95_high double,
    truth_low double not null,
    truth_high double not null,
    unjudged_weight double not null,
    unknown_weight double not null
);
