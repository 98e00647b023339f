{#-
    Number, mean and maximum of the losses of the rows on which `condition` holds, and the run with the maximum; of
    several runs with the same loss, the first by its id. The mean is summed in one order, because sums of threads in any
    order differ in the last digit. The names of the columns end in `suffix`.
-#}
{% macro summary_of_losses(suffix, condition) -%}
    cast(count(*) filter (where {{ condition }}) as integer) as n_runs{{ suffix }},
    {{ signed('avg(loss_in_percent_of_full_score order by run_id) filter (where ' ~ condition ~ ')') }}
        as mean_loss_in_percent_of_full_score{{ suffix }},
    max(loss_in_percent_of_full_score) filter (where {{ condition }})
        as largest_loss_in_percent_of_full_score{{ suffix }},
    arg_min(run_id, row(-{{ comparable('loss_in_percent_of_full_score') }}, run_id)) filter (where {{ condition }})
        as largest_loss_run_id{{ suffix }}
{%- endmacro %}
