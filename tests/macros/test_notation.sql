{%- set odd = {
    'name': 'X11',
    'cutoff': 'multiple',
    'parameters': {'T': 1, 'p1': 1, 'min_rel': 0, 'max_rel': none, 'relative': 'false'}
} -%}
{%- set signatures = dict(measure_signatures(), X11=odd) %}

with

notations (name, measure, expected) as (

    values
    ('NumQ', 'NumQ', true),
    ('NumQ', 'NumQ@10', false),           -- this measure has no cutoff
    ('NumQ', 'NumQ(rel=2)', false),       -- this measure has no parameter
    ('P', 'P@5', true),
    ('P', 'P(rel=2)@10', true),
    ('P', 'P', false),                    -- this measure needs a cutoff
    ('P', 'P@0', false),
    ('P', 'P@05', false),
    ('P', 'P@5.0', false),
    ('P', 'P@-5', false),
    ('P', 'P @5', false),
    ('P', 'p@5', false),
    ('P', 'P()@5', false),
    ('P', 'P(rel=0)@5', false),           -- grade 0 is no relevance level
    ('P', 'P(rel=1.5)@5', false),
    ('P', 'P(p=0.5)@5', false),           -- the parameter is another measure's
    ('P', 'P@5; drop table runs', false),
    ('AP', 'AP', true),
    ('AP', 'AP@100', true),
    ('AP', 'MAP', false),
    ('RBP', 'RBP', true),
    ('RBP', 'RBP(p=0.95)', true),
    ('RBP', 'RBP(rel=2,p=0.5)@10', true),  -- parameters may be in any order
    ('RBP', 'RBP(rel=2)', true),
    ('RBP', 'RBP(p=0.5,p=0.8)', false),   -- a parameter may occur only once
    ('RBP', 'RBP(p=1.5)', false),         -- p is a probability below 1
    ('RBP', 'RBP(p=.5)', false),
    ('RBP', 'RBP(p=0.5', false),
    ('RBP', 'RBP(p=0.5,)', false),
    ('IPrec', 'IPrec@0', true),
    ('IPrec', 'IPrec@0.25', true),
    ('IPrec', 'IPrec@1.0', true),
    ('IPrec', 'IPrec@1.1', false),        -- a recall level is a share
    ('IPrec', 'IPrec@10', false),
    ('IPrec', 'IPrec', false),
    ('X11', 'X11@0.25', true),
    ('X11', 'X11(T=1.5,p1=-1.5,max_rel=3,relative=true,min_rel=0)@2', true),
    ('X11', 'X11(T=1,max_rel=3,T=2)@2', false),
    ('X11', 'X11(max_rel=0)@2', false),
    ('X11', 'X11(T=0.0)@2', false),       -- nobody wants nothing
    ('X11', 'X11(relative=1)@2', false),  -- a truth value is a word
    ('X11', 'X11@-1', false),
    ('X11', 'X1@1', false),
    ('nDCG', 'nDCG(gains={1:3.5,2:-9},judged_only=true)@5', true),
    ('nDCG', 'nDCG(gains={1:3,1:9})', false)  -- a grade has one gain

),

-- the spelling of each measure
patterns (name, pattern) as (

    values
    {% for name in ['NumQ', 'P', 'AP', 'RBP', 'IPrec', 'X11', 'nDCG'] %}
        ('{{ name }}', '{{ measure_pattern(signatures[name]) }}'){{ ',' if not loop.last }}
    {% endfor %}

),

matched as (

    select
        notations.measure as case_name,
        regexp_full_match(notations.measure, patterns.pattern)
        and not {{ repeats_parameter('notations.measure') }} as actual,
        notations.expected
    from notations
    inner join patterns on notations.name = patterns.name

),

-- lists of materialized measures
listed (case_name, actual, expected) as (

    values
    (
        'those_of_all_judged_documents',
        '{{ measures_of("judged", ["AP", "AntiP@5", "P@5", "SetP"]) | join(" ") }}',
        'AntiP@5 SetP'
    ),
    (
        'those_of_documents_with_a_gain',
        '{{ measures_of("gains", ["AP", "AntiP@5", "P@5", "SetP"]) | join(" ") }}',
        'AP P@5'
    ),
    (
        'relevance_levels_once_each',
        '{{ relevance_levels(["AP(rel=3)", "nDCG", "P(rel=2)@5", "RBP(p=0.5,rel=3)"]) | join(" ") }}',
        '3 2'
    ),
    (
        'no_relevance_levels',
        '{{ relevance_levels(["AP", "nDCG@10"]) | join(" ") }}',
        ''
    )

)

{{ wrong_cases('matched', n_cases=45) }}
union all
{{ wrong_cases('listed', n_cases=4) }}
