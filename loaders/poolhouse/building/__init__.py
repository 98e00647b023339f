"""Building: the plan that dbt compiles, run for what is stale, by the settings of the warehouse."""
