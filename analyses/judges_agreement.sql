-- question: Do the authors of the judgements agree?
-- about: judgements
--
-- For each pair of authors, kappa of relevance and of grades, over the
-- documents that both judged. A kappa of 0 is chance, and 1 is the same
-- judgement of every document. `audit_authors` says how well two persons
-- agree. A positive `relevance_difference` means that the other
-- author finds more documents relevant. A low kappa need not change the order
-- of the runs: see `judges_order`.
--
-- parameter: collection
with

agreement as (

    select * from fct_author_agreement
    where
        collection_id = $collection
        and topic_id is null

)

select
    author,
    other_author,
    n_pairs,
    kappa,
    weighted_kappa,
    relevance_difference
from agreement
order by
    author,
    other_author

-- sample: --collection shallow-pool
-- author                reference
-- other_author          model
-- n_pairs               998
-- kappa                 0.6621
-- weighted_kappa        0.8105
-- relevance_difference  0.1463
