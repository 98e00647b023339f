-- One row per loaded collection: its last load or removal, and its state.
select
    collections.collection_key,
    collections.collection_id,
    max(history.load_key) as load_key,
    max(states.fingerprint) as fingerprint
from raw.collections as collections
inner join ops.load_history as history using (collection_key)
inner join ops.collection_fingerprints as states using (collection_key)
group by all
