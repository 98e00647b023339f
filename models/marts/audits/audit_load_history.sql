with

{{ imports(load_history='ops.load_history') }}

select
    collection_id,
    load_key,
    action,
    kind as file_kind,
    name as file_name,
    path,
    sha256,
    n_bytes,
    n_lines,
    n_rows,
    n_blank,
    n_rejected,
    n_duplicates,
    seconds,
    version,
    loaded_at
from load_history
