"""Vega, Vega-Lite and Vega-Embed as one script for a page."""

from functools import cache

import vl_convert

_LICENSE = (
    "/* Vega, Vega-Lite and Vega-Embed: copyright University of Washington Interactive Data Lab; "
    "BSD-3-Clause. */"
)


@cache
def script() -> str:
    """Return the script, which a page can hold between the tags of an element.

    Bundling it takes a second, and gives the same each time.
    """
    made = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # The escaped text has the same meaning in a script, and ends no element of a page.
    safe = made.replace("</script", "<\\/script")
    return f"{_LICENSE}\n{safe}"
