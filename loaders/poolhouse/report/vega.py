"""Vega, Vega-Lite and Vega-Embed as one script for pages."""

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import vl_convert

from poolhouse.building.project import cache_folder
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.whole import publish

_HEAD = (
    "/* Vega, Vega-Lite and Vega-Embed: copyright University of Washington Interactive Data Lab; "
    f"BSD-3-Clause. Bundled by vl-convert {version('vl-convert-python')}. */\n"
)


def script() -> str:
    """Return the script, which a page can hold between the tags of an element.

    Bundling it takes two CPU seconds and gives the same each time, so that the user's cache keeps
    it. A kept script of another vl-convert is replaced.
    """
    file = _kept()
    with suppress(OSError, UnicodeDecodeError):
        kept = file.read_text(encoding="utf-8")
        if kept.startswith(_HEAD):
            return kept
    bundled = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # The escaped text has the same meaning in a script, and ends no element of a page.
    made = _HEAD + bundled.replace("</script", "<\\/script")
    with suppress(OSError, PoolhouseError):  # the cache cannot be written
        file.parent.mkdir(parents=True, exist_ok=True)
        publish(file, made)
    return made


def _kept() -> Path:
    return cache_folder() / "scripts" / "vega.js"
