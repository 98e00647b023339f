"""Statements that a reader of a warehouse must be refused, in whatever way they are given.

`{folder}` stands for the folder of the warehouse, `{path}` for its file, `{secret}` for a file of
text and `{other}` for another database in the folder.
"""

WRITING = (
    "insert into raw.collections (collection_id) values ('x')",
    "delete from raw.collections",
    "drop table raw.collections",
    "create table t (i integer)",
)

REACHING_FILES = (
    "select * from '{secret}'",
    "select * from read_csv('{secret}')",
    "select * from read_text('{secret}')",
    "select * from read_blob('{secret}')",
    "select * from glob('{folder}/*')",
    "attach '{other}' as other",
    "attach '{other}' as other (read_only)",
    "attach '{folder}/new.duckdb' as other",
    "copy (select 1) to '{folder}/new.csv'",
    "copy raw.collections from '{secret}'",
    "export database '{folder}/new'",
    "import database '{folder}'",
    "install httpfs",
    "load httpfs",
    "select * from read_csv('https://example.com/secret.csv')",
    "select * from read_parquet('{secret}')",
    "select * from read_text('s3://bucket/key')",
    "copy (select 1) to '{folder}/new.csv' (use_tmp_file false)",
    "copy (select 1) to '/dev/stdout'",
    "load '{folder}/new.duckdb_extension'",
)

CONFIGURING = (
    "set enable_external_access = true",
    "reset enable_external_access",
    "set allowed_directories = ['/']",
    "set lock_configuration = false",
    "reset lock_configuration",
    "pragma threads = 1",
    "set disabled_filesystems = ''",
    "set allowed_paths = ['/etc/passwd']",
    "set access_mode = 'read_write'",
    "set python_enable_replacements = true",
    "pragma enable_external_access = true",
)

# The engine exempts the database's own paths from the confinement.
OVER_THE_WAREHOUSE = (
    "copy (select 1) to '{path}' (use_tmp_file false)",
    "copy (select 1) to '{path}.wal'",
)

# Other ways out of the file, or of the process. The engine refuses each of them, or does not have
# it.
LEAVING = (
    "select getenv('HOME')",
    "create persistent secret s (type s3, key_id 'a', secret 'b')",
    "select * from query('select * from read_text(''/etc/hostname'')')",
    "select * from query_table('/etc/hostname')",
    "execute immediate 'copy (select 1) to ''/tmp/x'' '",
    "detach poolhouse",
    "attach ':memory:' as m; copy from database poolhouse to m",
    "create or replace view main.dim_runs as select 1",
    "set schema = 'raw'; delete from runs",
    "select * from arrow_scan(1, 1, 1)",
    "select * from python_map_function(1)",
    "copy (select 1) to program 'touch /tmp/x'",
    "select * from sqlite_scan('/tmp/x.db', 't')",
    "explain analyze copy (select 1) to '/tmp/x'",
    "prepare p as copy (select 1) to '/tmp/x'",
    "with x as (from read_text('/etc/hostname')) from x",
    "pivot (from read_csv('/etc/hostname')) on 1",
    "summarize '/etc/hostname'",
    "describe '/etc/hostname'",
)

ALL = (*WRITING, *REACHING_FILES, *CONFIGURING, *OVER_THE_WAREHOUSE, *LEAVING)
