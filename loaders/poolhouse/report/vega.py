"""Vega, Vega-Lite and Vega-Embed as one script for a page.

vl-convert makes the script when a wheel is built (scripts/build_backend.py). A checkout has
vl-convert among its development packages, and makes the script for each page.
"""

from pathlib import Path

from poolhouse.errors import PoolhouseError

SHIPPED = Path(__file__).with_name("vega.js")

_LICENSE = (
    "/* Vega, Vega-Lite and Vega-Embed: copyright University of Washington Interactive Data Lab; "
    "BSD-3-Clause. */"
)


def make_script() -> str:
    """Return the script, made by vl-convert. Raise ImportError if vl-convert is not installed."""
    import vl_convert  # noqa: PLC0415 - an installed wheel has the script instead

    script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # The escaped text has the same meaning in a script, and ends no element of a page.
    safe = script.replace("</script", "<\\/script")
    return f"{_LICENSE}\n{safe}"


def script() -> str:
    """Return the script. Raise PoolhouseError where it was not shipped and cannot be made."""
    if SHIPPED.is_file():
        return SHIPPED.read_text(encoding="utf-8")
    try:
        return make_script()
    except ImportError as error:
        raise PoolhouseError(
            "the figures of a page need Vega, which a wheel of Poolhouse has; a checkout makes it "
            "with vl-convert: uv sync"
        ) from error
