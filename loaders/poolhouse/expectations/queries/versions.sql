-- One row per loaded collection: its last load or removal, and its state.
select
    history.collection_key,
    max(history.load_key),
    max(states.fingerprint)
from ops.load_history as history
inner join ops.collection_fingerprints as states using (collection_key)
group by history.collection_key
