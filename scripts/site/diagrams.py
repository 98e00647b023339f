"""Mermaid diagrams as SVG inside the page, drawn when the site is written."""

import mmdr
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# A page is higher than wide, and GitHub shows a wide diagram in a window of its own.
_WIDE, _HIGH = "flowchart LR", "flowchart TB"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive `mermaid`; a fence of that language is one (conf.py)."""
    app.add_directive("mermaid", _Diagram)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _Diagram(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the drawing; Sphinx names the page where the diagram has a mistake."""
        text = "\n".join(self.content).replace(_WIDE, _HIGH, 1)
        try:
            svg = mmdr.render(text).svg()
        except Exception as error:
            raise self.error(f"mermaid: {error}") from error
        # Two diagrams of a page must not share the names by which their styles find them.
        name = f"diagram-{self.env.new_serialno('diagram')}"
        svg = svg.replace("#merman", f"#{name}").replace('id="merman', f'id="{name}')
        return [nodes.raw("", f'<div class="diagram">{svg}</div>', format="html")]
