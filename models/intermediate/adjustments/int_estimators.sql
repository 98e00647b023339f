with

{{ imports('estimators', 'int_authors') }},

-- one row per author that is compared with the reference, of any collection
other_authors as (

    select
        author,
        cast(2 * row_number() over (order by author) as integer) as place
    from (
        select distinct author
        from authors
        where is_compared
    ) as named

),

-- one row: the last position of the estimators without an author
last_positions as (

    select max(position) as last_position
    from estimators

),

-- two rows per author: the labels as they are, and rectified
estimators_by_authors as (

    {% for prefix, step, title, needs in [
        (filled_by(), '- 1', 'Adds the weight of the unjudged documents that the author $ calls relevant', 'labels'),
        (
            rectified_by(), '',
            'Adds the same, and what the labels of $ miss of the documents that other organizations alone contributed',
            'labels and pooled runs'
        ),
    ] %}
        select
            last_positions.last_position + other_authors.place {{ step }} as position,
            concat('{{ prefix }}', other_authors.author) as estimator,
            replace('{{ title }}', '$', other_authors.author) as title,
            '{{ needs }}' as needs,
            false as has_condensed,
            false as is_recommended,
            true as is_on_leaderboard,
            'docs/filling.md' as source
        from other_authors
        cross join last_positions
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per estimator
listed as (

    select * from estimators
    union all by name
    select * from estimators_by_authors

)

select * from listed
