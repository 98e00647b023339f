"""Settings of Sphinx, which writes the documentation site (docs/decisions/site.md)."""

from pathlib import Path

_HERE = Path(__file__).parent

project = "Poolhouse"
author = ""
html_title = project
language = "en"
root_doc = "README"

extensions = ["myst_parser", "formulas", "diagrams", "source_files", "contents"]

# The pages, and the source files to which pages link.
include_patterns = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/**.md"),
    *("docs/**.md", "docs/**.ipynb"),
    *("analyses/**.sql", "macros/**.sql", "models/**.sql", "seeds/**.csv"),
]
# Large folders that hold no page and no such source file.
exclude_patterns = [".*", "site", "target", "dist", "logs", "**/__pycache__"]

# Read Markdown as GitHub does.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid", "math"]
# A block without a language shows output or shell commands.
highlight_language = "text"
# The highlighter does not know DuckDB's own syntax, and leaves a block with it plain.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_math_renderer = "mathml"
html_static_path = [str(_HERE / "site.css")]
html_css_files = ["site.css"]
templates_path = [str(_HERE / "templates")]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/dbt.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
