"""Run the notebooks of the docs, and write their outputs into them.

`just notebooks` runs this script. With --check, it fails where a notebook shows other outputs.
"""

import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbclient import NotebookClient

nbformat: Any = import_module("nbformat")  # it declares the types of only some functions

NOTEBOOKS = Path(__file__).parents[1] / "docs" / "notebooks"


def main() -> None:
    """Rewrite every notebook with its outputs, or compare the outputs."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with TemporaryDirectory() as folder:
            text = nbformat.writes(executed(path, Path(folder))) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif text != path.read_text(encoding="utf-8"):
            sys.exit(f"{path.name} does not show what it does: just notebooks")


def executed(path: Path, folder: Path) -> Any:  # noqa: ANN401 - nbformat's node
    """Run a notebook in a folder and in a separate kernel, and return it.

    The outputs keep only text. They have no HTML and no times. They have no standard error, because
    its warnings name files of the kernel. Raise nbclient's CellExecutionError where a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, record_timing=False, resources=resources)
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_as_text(each) for each in cell.outputs if each.get("name") != "stderr"]
    nbformat.validate(notebook)
    return notebook


def _as_text(output: Any) -> Any:  # noqa: ANN401 - see above
    if "data" in output:
        output.data = {"text/plain": output.data["text/plain"]}
    return output


if __name__ == "__main__":
    main()
