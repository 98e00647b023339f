"""Test that importing Great Expectations sparingly leaves it and all other modules as they are."""

import json
import subprocess
import sys

import pytest

# Standard expectations that use the postponed modules, and the page of their results.
_PROGRAM = """
import json, sys
import sqlalchemy.orm  # a hidden module that was imported before

before = {name: id(module) for name, module in sys.modules.items()}
from poolhouse.expectations import validation, importing
found = {
    "changed": [name for name, place in before.items() if id(sys.modules.get(name)) != place],
    "early": [name for name in importing._HIDDEN + importing._POSTPONED if name in sys.modules],
    "stand-ins": [name for name, each in sys.modules.items()
                  if each is None or isinstance(each, importing._Postponed)],
}

import great_expectations as gx
import great_expectations.expectations as gxe
import pandas as pd
from great_expectations.render.renderer import ValidationResultsPageRenderer
from great_expectations.render.view import DefaultJinjaPageView

rows = pd.DataFrame({"word": ["a", "b", "b", "b"], "json": ['{"n": 1}', "{}", "[]", '{"n": 2}']})
frame = gx.get_context(mode="ephemeral").data_sources.pandas_default.read_dataframe(rows)
suite = gx.ExpectationSuite(name="mine", expectations=[
    gxe.ExpectColumnKLDivergenceToBeLessThan(
        column="word", partition_object={"values": ["a", "b"], "weights": [.25, .75]}, threshold=.1
    ),
    gxe.ExpectColumnValuesToMatchJsonSchema(column="json", json_schema={"type": "object"}),
])
outcome = frame.validate(suite, result_format="COMPLETE")
found["unexpected"] = [each.result.get("unexpected_list") for each in outcome.results]
outcome.meta["run_id"] = {"run_name": "once", "run_time": "2026-01-01T00:00:00"}
found["page"] = DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(outcome))

import altair, boto3, jsonschema, mistune, scipy.stats
found["real"] = [altair.Chart.__name__, boto3.client.__name__, jsonschema.validate.__name__,
                 mistune.html("*a*"), float(scipy.stats.norm.cdf(0))]
print(json.dumps(found))
"""


@pytest.mark.heavy
def test_expectations_and_other_modules_are_as_ever() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["changed"] == found["stand-ins"] == []
    assert found["early"] == ["sqlalchemy.orm"]
    assert found["unexpected"] == [None, ["[]"]]
    assert "vegaEmbed" in found["page"]
    assert found["real"] == ["Chart", "client", "validate", "<p><em>a</em></p>\n", 0.5]
