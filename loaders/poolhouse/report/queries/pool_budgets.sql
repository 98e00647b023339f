-- One row per budget, up to the first that allows every document.
select
    budget,
    depth,
    n_documents,
    next_n_documents
from planning.pool_budgets($collection)
qualify lag(next_n_documents, 1, 0) over (order by budget) is not null
order by budget
