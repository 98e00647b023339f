"""Draw Mermaid diagrams as SVG inside the page, when the site is written."""

import mmdr
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# A page is higher than wide, so that diagrams run from top to bottom here. On GitHub they are wide:
# it shows a wide diagram in its own window.
_WIDE, _HIGH = "flowchart LR", "flowchart TB"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive `mermaid`; conf.py makes a fence of this language such a directive."""
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
        # The styles of a diagram select its elements by name: two diagrams need different names.
        name = f"diagram-{self.env.new_serialno('diagram')}"
        svg = svg.replace("#merman", f"#{name}").replace('id="merman', f'id="{name}')
        return [nodes.raw("", f'<div class="diagram">{svg}</div>', format="html")]
