"""Make pages of the source files to which pages link: SQL, CSV, and notebooks with outputs."""

import json
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from docutils import nodes
from docutils.parsers import Parser
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

_LANGUAGES = {".sql": "sql+jinja", ".csv": "text"}
_MODELS = "models"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add a kind of source for each file name extension, and its parser."""
    for suffix in _LANGUAGES:
        app.add_source_suffix(suffix, "source_file")
    app.add_source_parser(_SourceFile)
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(_Notebook)
    # Before the theme asks for the contents.
    app.connect("html-page-context", _ContentsBeside(), priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _SourceFile(Parser):
    supported = ("source_file",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Make a page that has the file's name as its title and shows the file's text."""
        environment = document.settings.env
        path = PurePosixPath(environment.doc2path(environment.docname, base=False))
        section = nodes.section(ids=[nodes.make_id(str(path))])
        section += nodes.title(text=path.name)
        section += nodes.paragraph("", "", nodes.literal(text=str(path)))
        if path.parts[0] == _MODELS:
            section += _link_to_dbt(path)
        block = nodes.literal_block(inputstring, inputstring)
        block["language"] = _LANGUAGES[path.suffix]
        section += block
        document += section
        # The page is in no table of contents. It is not in the search, where pages of docs matter.
        environment.metadata[environment.docname].update({"orphan": True, "nosearch": True})


class _ContentsBeside:
    """The contents beside the pages of source files, written once for all pages of a depth.

    Such a page is not among the contents, and so they differ by the way up alone. Writing them for
    each page took half of the time of the site.
    """

    def __init__(self) -> None:
        self._written: dict[int, str] = {}

    def __call__(self, app: Sphinx, page: str, _template: str, context: Any, _tree: Any) -> None:  # noqa: ANN401 - Sphinx's own
        write: Callable[..., str] | None = context.get("toctree")
        if write and PurePosixPath(app.env.doc2path(page)).suffix in _LANGUAGES:

            def written(**options: Any) -> str:  # noqa: ANN401 - those of the theme, always the same
                depth = page.count("/")
                if depth not in self._written:
                    self._written[depth] = write(**options)
                return self._written[depth]

            context["toctree"] = written


def _link_to_dbt(path: PurePosixPath) -> nodes.paragraph:
    up = "../" * (len(path.parts) - 1)
    target = f"{up}dbt/index.html#!/model/model.poolhouse.{path.stem}"
    link = nodes.reference("", "Columns, tests and lineage", refuri=target, internal=True)
    return nodes.paragraph("", "", link, nodes.Text(" are in the documentation that dbt wrote."))


class _Notebook(MystParser):
    supported = ("notebook",)  # type: ignore[misc]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read the notebook's cells as Markdown: text, code, and the output of the code."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(part for cell in cells for part in _parts(cell)), document)


def _parts(cell: dict[str, object]) -> list[str]:
    text = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        return [text]
    outputs = cell["outputs"]
    assert isinstance(outputs, list)  # noqa: S101 - the format of notebooks says so
    shown = [_text(each.get("text") or each["data"]["text/plain"]) for each in outputs]
    return [_fence(text, "python"), *(_fence(each, "text") for each in shown)]


def _text(lines: object) -> str:
    return "".join(lines) if isinstance(lines, list) else str(lines)


def _fence(text: str, language: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"
