"""Relations of earlier versions that are questions of the cookbook now."""

# The engine itself names the schema of a relation that has only moved to another schema.
QUESTIONS = {
    "decision_matrix_shares": "baillie_tables_3_4",
    "rpt_baillie_2008_tables_3_4": "baillie_tables_3_4",
    "rpt_buckley_2006_unique_relevant": "buckley_losses",
    "rpt_common_topic_errors": "webber_park_errors",
    "rpt_common_topics_needed": "common_topics_of_runs",
    "rpt_interval_coverage": "webber_park_intervals",
    "rpt_lipani_2015_figure_1": "lipani_figure_1",
    "rpt_lipani_2015_figure_2": "lipani_figure_2",
    "rpt_lipani_2015_table_2": "lipani_table_2",
    "rpt_lipani_2015_table_2_counts": "lipani_table_2_counts",
    "rpt_lipani_2015_triggers": "lipani_triggers",
    "rpt_webber_park_2009_error_decline": "webber_park_decline",
    "rpt_webber_park_2009_figure_1": "webber_park_figure_1",
    "rpt_webber_park_2009_substitution": "webber_park_substitute",
    "rpt_webber_park_2009_table_1": "webber_park_table_1",
    "rpt_webber_park_2009_table_2": "webber_park_tables_2_4",
    "rpt_webber_park_2009_table_3": "webber_park_tables_2_4",
    "rpt_webber_park_2009_table_4": "webber_park_tables_2_4",
}
