-- Tables that loading writes (schema raw), and records of Poolhouse about its work (schema ops).
-- dbt owns neither; only its staging models read raw. Statements are repeatable. Times are UTC.

create schema if not exists raw;
create schema if not exists ops;

create sequence if not exists raw.collection_keys;
create sequence if not exists raw.run_keys;
create sequence if not exists ops.load_keys;

-- One row per collection. judged_from: the lowest grade that is a judgement, 0 or less. declared_judging: how it was
-- judged, as pooled, exhaustive or sparse; null where nobody says so. leaves_out_own_id: the document with the id of the
-- topic does not count; null where it does. residual_round: documents of earlier rounds do not count. The number of
-- documents of the qrels that do not count is n_judgements_left_out.
create table if not exists raw.collections (
    collection_key integer primary key default nextval('raw.collection_keys'),
    collection_id varchar not null unique,
    title varchar,
    declared_pool_depth integer,
    relevance_threshold integer not null default 1,
    pooling_order varchar not null default 'score',
    highest_grade integer,
    track varchar,
    year integer,
    task varchar,
    main_measure varchar,
    reference_author varchar,
    judged_from integer default 0,
    declared_judging varchar,
    leaves_out_own_id boolean,
    residual_round double,
    passage_mark varchar,
    n_judgements_left_out integer not null default 0
);

-- One row per run. is_after_pool: its last load said that it was added after the pool was judged. The number of its
-- documents that do not count for their topics is n_documents_left_out. The last columns are what ir_metadata in its
-- file, or beside it, declares.
create table if not exists raw.runs (
    run_key integer primary key default nextval('raw.run_keys'),
    collection_key integer not null,
    run_id varchar not null,
    is_after_pool boolean default false,
    n_documents_left_out integer not null default 0,
    organization varchar,
    run_type varchar,
    description varchar
);

-- One row per collection and described run, whether the run was loaded or not. description: the participants' own words.
-- task: that of the campaign in which the run took part, where the descriptions name one.
create table if not exists raw.descriptions (
    collection_key integer not null,
    run_id varchar not null,
    organization varchar not null,
    run_type varchar,
    is_pooled boolean,
    pool_depth integer,
    description varchar,
    task varchar
);

-- One row per published figure of a run, whether the run was loaded or not. value is null where the file has no number.
create table if not exists raw.official_results (
    collection_key integer not null,
    line_number integer not null,
    run_id varchar not null,
    title varchar not null,
    label varchar not null,
    value double,
    n_decimals integer not null
);

-- One row per loaded line of a run file; the words are the file's. In small blocks, the engine's own choice for the
-- documents takes 2.5 times as long to store. is_left_out: the document does not count for its topic; a mark, because a join
-- with raw.leave_out_pairs would make a copy of all lines.
create table if not exists raw.run_lines (
    collection_key integer not null,
    run_key integer not null,
    line_number integer not null,
    query varchar not null,
    docno varchar not null using compression zstd,
    rank integer,
    score double not null,
    tag varchar,
    is_left_out boolean not null default false
);

-- One row per loaded line of the qrels.
create table if not exists raw.qrels_lines (
    collection_key integer not null,
    line_number integer not null,
    query varchar not null,
    iteration varchar not null,
    docno varchar not null,
    grade integer not null
);

-- One row per document that does not count for a topic, in runs and judgements, and reason. line_number is null where the
-- reason is not a line of the file, but the id of the document or its round.
create table if not exists raw.leave_out_pairs (
    collection_key integer not null,
    line_number integer,
    query varchar not null,
    docno varchar not null
);

-- One row per author of judgements with a declaration: what the author is, and how its grades are meant. has_answered: its
-- labels were answers, which are in the qrels too.
create table if not exists raw.authors (
    collection_key integer not null,
    author varchar not null,
    kind varchar,
    relevance_threshold integer,
    highest_grade integer,
    model varchar,
    prompt varchar,
    judged_on date,
    notes varchar,
    has_answered boolean
);

-- One row per loaded line of an author's judgements, other than those of the reference, which are the qrels. judged_at
-- is the time of the load that brought the grade.
create table if not exists raw.author_lines (
    collection_key integer not null,
    author varchar not null,
    line_number integer not null,
    query varchar not null,
    docno varchar not null,
    grade integer not null,
    judged_at timestamp not null default (current_timestamp at time zone 'UTC')
);

-- One row per loaded line of an author's preferences: docno is better than other_docno, or as good.
create table if not exists raw.preference_lines (
    collection_key integer not null,
    author varchar not null,
    line_number integer not null,
    query varchar not null,
    docno varchar not null,
    other_docno varchar not null,
    is_equal boolean not null
);

-- One row per author, topic and document in its preferences: how they came out, and the Bradley-Terry score. n_repeated
-- counts documents that it was compared with more than once, and n_conflicting those among them with different answers.
-- n_threes counts the threes of documents with it whose pairs are all decided, and n_cyclic the cycles among them.
create table if not exists raw.preference_scores (
    collection_key integer not null,
    author varchar not null,
    query varchar not null,
    docno varchar not null,
    n_won integer not null,
    n_lost integer not null,
    n_equal integer not null,
    score double not null,
    standard_error double not null,
    n_repeated integer not null,
    n_conflicting integer not null,
    n_threes integer not null,
    n_cyclic integer not null
);

-- One row per loaded line of judgements that were made for one run, on topics of its choice.
create table if not exists raw.common_judgements (
    collection_key integer not null,
    run_id varchar not null,
    line_number integer not null,
    query varchar not null,
    docno varchar not null,
    grade integer not null
);

-- One row per titled topic.
create table if not exists raw.topics (
    collection_key integer not null,
    query varchar not null,
    title varchar not null
);

-- One row per word of a topic's title at the time when texts, or a table of title words, were read.
create table if not exists raw.title_words (
    collection_key integer not null,
    query varchar not null,
    word varchar not null
);

-- One row per file and judged document with a text in it; a table of title words has every judged document.
create table if not exists raw.judged_texts (
    collection_key integer not null,
    kind varchar not null,
    name varchar not null,
    docno varchar not null
);

-- One row per file, topic, word of its title, and document with the word that is judged for the topic.
create table if not exists raw.title_word_documents (
    collection_key integer not null,
    kind varchar not null,
    name varchar not null,
    query varchar not null,
    word varchar not null,
    docno varchar not null
);

-- One row per title word with a known number of documents in the whole collection.
create table if not exists raw.document_frequencies (
    collection_key integer not null,
    word varchar not null,
    document_frequency integer not null
);

-- One row per topic and attribute with a value in a file.
create table if not exists raw.topic_attributes (
    collection_key integer not null,
    query varchar not null,
    attribute varchar not null,
    value varchar not null
);

-- One row per list of documents that `pool make` wrote: how they were chosen, and the runs from which they came.
create table if not exists raw.pool_lists (
    collection_key integer not null,
    list_number integer not null,
    strategy varchar not null,
    budget bigint not null,
    is_per_topic boolean not null,
    seed integer not null,
    run_ids varchar [] not null,
    made_at timestamp not null default (current_timestamp at time zone 'UTC')
);

-- One row per list and document. place: the document's place in its topic, as the strategy chose it, from 1. The first list of
-- a sample has the documents that are not on it too, because estimates need the probabilities of all that could be drawn.
-- The columns from is_sampled on are null for a pool that was not drawn.
create table if not exists raw.pool_documents (
    collection_key integer not null,
    list_number integer not null,
    query varchar not null,
    docno varchar not null,
    is_listed boolean not null,
    place integer,
    is_sampled boolean,
    stratum integer,
    n_documents integer,
    inclusion_probability double,
    joint_probability double,
    between_factor double
);

-- One row per line that was set aside.
create table if not exists raw.rejected_lines (
    collection_key integer not null,
    kind varchar not null,
    name varchar not null,
    line_number integer not null,
    reason varchar not null,
    text varchar not null
);

-- One row per load and file that it added, and per removal and file that it removed. Rows
-- are kept when the file is replaced or its collection is removed. The name of a run, and of
-- judgements for a run, is the run id; of an author's judgements, the author. A file of texts has its own name. The name of another file is its kind.
-- n_lines, n_blank and n_rejected are null if the file does not consist of lines. n_duplicates counts rows with
-- the topic and document of an earlier row. seconds is the time of reading and parsing. version is Poolhouse's.
create table if not exists ops.load_history (
    load_key integer not null,
    action varchar not null,
    collection_key integer not null,
    collection_id varchar not null,
    kind varchar not null,
    name varchar not null,
    path varchar not null,
    sha256 varchar not null,
    n_bytes bigint not null,
    n_lines integer,
    n_rows integer not null,
    n_blank integer,
    n_rejected integer,
    n_duplicates integer not null,
    seconds double not null,
    version varchar not null,
    loaded_at timestamp not null default (current_timestamp at time zone 'UTC')
);

-- One row per file whose content is in raw, because its last change was a load.
create or replace view ops.files as

with latest as (
    select *
    from ops.load_history
    qualify row_number() over (partition by collection_key, kind, name order by load_key desc) = 1
)

select *
from latest
where action = 'load';

-- One row per collection in the marts: the state of its files, the version of the models, the time.
create table if not exists ops.builds (
    collection_key integer not null,
    fingerprint varchar not null,
    models_version varchar not null,
    built_at timestamp not null default (current_timestamp at time zone 'UTC'),
    frame_fingerprint varchar
);

-- One row per check, collection and expectation: the result of `poolhouse check`. load_key is the last
-- load or removal before the check; fingerprint is the fingerprint of the checked state.
create table if not exists ops.quality_results (
    collection_key integer not null,
    collection_id varchar not null,
    suite varchar not null,
    subject varchar not null,
    expectation varchar not null,
    figure varchar,
    severity varchar not null,
    success boolean,
    observed varchar not null,
    unexpected_count bigint,
    sample varchar not null,
    meaning varchar not null,
    advice varchar not null,
    load_key integer,
    fingerprint varchar,
    checked_at timestamp not null
);

-- One row per collection, build after which its verdict or a figure behind it was another one, and rule. Figures are
-- rounded to 9 decimals. Rows are kept when the collection is removed, and a later collection of the same name
-- continues them.
create table if not exists ops.verdict_history (
    collection_id varchar not null,
    verdict varchar not null,
    n_judged_topics integer not null,
    rule_id varchar not null,
    figure double,
    outcome varchar not null,
    built_at timestamp not null
);

-- One row per relation of the last build: hashes of its definition, and of its descriptions. The statement that makes
-- a macro which only Poolhouse calls: in the catalog, every program that opens the file would read it.
create table if not exists ops.built_relations (
    name varchar primary key,
    relation varchar not null,
    definition varchar not null,
    wording varchar not null,
    own_macro varchar
);

-- One row per setting that differs from the project's default; value is JSON.
create table if not exists ops.settings (
    name varchar primary key,
    value varchar not null
);

-- The same settings at the last build.
create table if not exists ops.built_settings (
    name varchar primary key,
    value varchar not null
);

-- One row per collection: a hash of everything that its marts depend on, and a hash of the part on which
-- the rows of every run depend, for any other runs. The second has no descriptions and depths, because
-- they act through the pool, and the models find out whether the pool changed. Names and
-- titles may hold the marks between the parts, so their hashes are used.
create or replace view ops.collection_fingerprints as

with contents as (
    select
        collection_key,
        string_agg(concat_ws(':', kind, md5(name), sha256), '|' order by kind, name) as files,
        string_agg(concat_ws(':', kind, md5(name), sha256), '|' order by kind, name)
            filter (where kind in ('qrels', 'topics', 'author_qrels', 'authors', 'leave_out')) as frame_files
    from ops.files
    group by collection_key
),

of_runs as (
    select
        collection_key,
        string_agg(md5(run_id), '|' order by run_id) filter (where is_after_pool) as after_pool,
        string_agg(md5(cast((run_id, organization, run_type, description) as varchar)), '|' order by run_id)
            filter (where coalesce(organization, run_type, description) is not null) as metadata
    from raw.runs
    group by collection_key
)

select
    collections.collection_key,
    md5(
        concat_ws(
            '|',
            md5(collections.collection_id),
            md5(coalesce(collections.title, '')),
            coalesce(collections.declared_pool_depth, 0),
            collections.relevance_threshold,
            collections.pooling_order,
            contents.files,
            of_runs.after_pool,
            -- null, and not a part of the text, if nothing is declared
            'track:' || md5(collections.track),
            'year:' || collections.year,
            'task:' || md5(collections.task),
            'measure:' || collections.main_measure,
            'reference:' || md5(collections.reference_author),
            'judged from:' || nullif(collections.judged_from, 0),
            'judging:' || collections.declared_judging,
            case when collections.leaves_out_own_id then 'without own id' end,
            'residual:' || nullif(collections.residual_round, 0),
            'metadata:' || of_runs.metadata
        )
    ) as fingerprint,
    md5(
        concat_ws(
            '|',
            collections.relevance_threshold,
            collections.pooling_order,
            contents.frame_files,
            'reference:' || md5(collections.reference_author),
            'judged from:' || nullif(collections.judged_from, 0),
            case when collections.leaves_out_own_id then 'without own id' end,
            'residual:' || nullif(collections.residual_round, 0)
        )
    ) as frame_fingerprint
from raw.collections as collections
left join contents on collections.collection_key = contents.collection_key
left join of_runs on collections.collection_key = of_runs.collection_key;
