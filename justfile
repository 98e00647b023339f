# Recipes for a laptop and for CI; `just` lists them.
default:
    @just --list

# simulate a small archive, load and build it, and show the findings
demo:
    uv run poolhouse demo

# run the test command of the README; `just test --all` adds the heavy tests, for which `uv sync --group dev` is needed
test *arguments:
    uv run pytest {{ arguments }}

# test each property of the parsers on 20,000 generated files, in a quarter of an hour or more
fuzz *arguments:
    uv run pytest --hypothesis-profile=fuzz tests/python/test_fuzz.py tests/python/test_parsers.py {{ arguments }}

# run every command on broken files, full disks and little memory, and signal it; DB is a built demo
fuzz-commands db *arguments:
    uv run python fuzz/entry_point.py --db {{ db }} {{ arguments }}

# run the linters, as CI does
lint:
    scripts/lint

# format the Python files
format:
    uv run --group dev ruff format
    uv run --group dev ruff check --fix

# write the seed of quantiles by scipy
quantiles:
    uv run python scripts/quantiles.py

# write the seed of critical values by scipy, in a quarter of an hour
critical-values:
    uv run python scripts/critical_values.py

# write the table of docs/measures.md from the seed
measures:
    uv run python scripts/measures_page.py

# write the tables of docs/map.md, and the overview of dbt's documentation
map:
    uv run python scripts/map_page.py

# write the samples of the cookbook from a new demo, and the list of docs/cookbook.md
cookbook *arguments:
    uv run python scripts/cookbook_samples.py {{ arguments }}
    uv run python scripts/cookbook_page.py

# write the transcripts of docs/mcp.md from a new demo
mcp *arguments:
    uv run --group dev python scripts/mcp_page.py {{ arguments }}

# run the notebooks of the docs, and write their outputs into them
notebooks:
    uv run --group dev python scripts/notebooks.py

# draw the picture of the README from a new demo; needs chromium
screenshots:
    uv run --group dev python scripts/screenshots.py

# open the demo's dashboard in Superset, which is installed into FOLDER, and redraw its picture; needs chromium
superset folder=".superset":
    uv run --group dev python scripts/superset.py {{ folder }}

# take screenshots of a report into FOLDER, and list faults in the browser; needs chromium
look report folder:
    uv run --group dev python scripts/look_at_report.py {{ report }} {{ folder }}

# write the documentation site into the folder site, with dbt's documentation of a new demo
site *arguments:
    uv run --group dev python scripts/build_site.py {{ arguments }}

# run the tests on another release of DuckDB, such as 2.0.1; without one, on the newest (docs/decisions/engine.md)
engine release="" *arguments:
    uv pip install --quiet --no-config --no-deps --upgrade --target .engine "duckdb{{ if release == "" { "" } else { "==" + release } }}"
    PYTHONPATH=.engine uv run pytest {{ arguments }} tests/python/test_engine.py tests/python

# compare the speed of releases of DuckDB on TREC-8 and the demo; see benchmarks/README.md
bench-engines *arguments:
    uv run python benchmarks/engines.py {{ arguments }}

# pin every package but the engine to the newest version that the ranges in pyproject.toml allow
pins:
    uv run --no-project python scripts/refresh_pins.py

# time the commands that people wait for, beside an earlier version and other tools; see benchmarks/README.md
bench-waits *arguments:
    uv run --group bench python benchmarks/waits.py {{ arguments }}

# compare the speed of loading with plain readers; see benchmarks/README.md
bench-loading *arguments:
    uv run --group dev python benchmarks/loading_speed.py {{ arguments }}

# compare the speed of measures with pytrec_eval, ir_measures and ranx; see benchmarks/README.md
bench-measures *arguments:
    uv run --group bench python benchmarks/measures_speed.py {{ arguments }}

# time the experiments of Webber & Park 2009 on TREC-8; see benchmarks/README.md
bench-experiments *arguments:
    uv run python benchmarks/experiments.py {{ arguments }}

# measure times and memory as an archive grows to sixteen times TREC-8; see benchmarks/README.md
bench-growth *arguments:
    uv run python benchmarks/growth.py {{ arguments }}

# measure time, memory and spilled bytes of each model on one large collection; see benchmarks/README.md
bench-large-collection *arguments:
    uv run python -m benchmarks.large_collection {{ arguments }}

# time an archive of many collections as a lake, on several engines; see benchmarks/README.md
bench-lake *arguments:
    PYTHONPATH=benchmarks uv run --group dev python -m lake {{ arguments }}

# measure bias, error and coverage of estimates from common topics; see benchmarks/README.md
bench-common-topics *arguments:
    uv run python benchmarks/common_topics.py {{ arguments }}

# measure how far the expected error of an advised score holds; see benchmarks/README.md
bench-advice-limit:
    uv run python benchmarks/advice_limit.py

# measure what a part of the pooled runs tells; see benchmarks/README.md
bench-part-of-runs *arguments:
    PYTHONPATH=benchmarks uv run python -m part_of_runs {{ arguments }}

# measure the test of expected differences: stars, and differences where there is none; see benchmarks/README.md
bench-estimated-tests *arguments:
    uv run python -m benchmarks.estimated_tests {{ arguments }}

# measure errors and coverage of scores estimated from samples; see benchmarks/README.md
bench-samples *arguments:
    uv run python benchmarks/samples.py {{ arguments }}

# measure how many answers tell whether an author of labels is right; see docs/judges.md
bench-validation *arguments:
    uv run python benchmarks/validation.py {{ arguments }}

# print the verdicts of strategies' pools, or the intervals while a pool is judged
bench-campaigns *arguments:
    uv run python benchmarks/campaigns.py {{ arguments }}

# measure the errors of all estimators on the archive; see benchmarks/README.md
bench-expected-relevance *arguments:
    uv run python -m benchmarks.expected_relevance {{ arguments }}

# time whole commands on warehouses of odd shapes; see benchmarks/README.md
bench-odd-shapes *arguments:
    uv run python benchmarks/odd_shapes.py {{ arguments }}

# time the cookbook's queries on a warehouse; see benchmarks/README.md
bench-cookbook *arguments:
    uv run python benchmarks/cookbook.py {{ arguments }}

# do everything that CI does
ci:
    .ci/run
