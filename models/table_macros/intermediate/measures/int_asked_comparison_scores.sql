{{ config(arguments=['collection', 'asked']) }}
-- The rows of int_comparison_scores of a collection by a measure, on the documents that an author and the reference judged.

with

{{ imports('int_collections', 'measures') }},

{{ asked_collection(['collection', 'asked'], relevance_level=asked_parameter('asked', 'rel')) }},

-- the lowest grade that counts as relevant is that of the measure, or of the author
label_comparisons as (

    select
        all_comparisons.*,
        asked_collection.relevance_level
    from asked_collection
    inner join {{ ref('int_label_comparisons') }} as all_comparisons using (collection_key)
    where all_comparisons.documents = 'common'

),

{{ labels_of_both_sides(
    'coalesce(grade >= relevance_level, relevance = 1)', 'coalesce(other_grade >= relevance_level, other_relevance = 1)'
) }},

{{ rankings_by_labels(comparison_keys()) }},

{{ asked_scores(by=comparison_keys()) }},

named_scores as (

    select
        *,
        {{ asked_name('asked') }} as measure
    from scores

),

{{ scores_of_both_sides('named_scores') }}

select * from both_scores
