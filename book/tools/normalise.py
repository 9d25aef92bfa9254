"""The normal form of an executed notebook: what depends on the reader's machine, clock or luck is taken out.

papermill writes times and paths, jupytext random cell ids and its own version, the kernel the version of
Python. `normalised` drops or fixes all of it, so that running a chapter twice gives the same bytes. What
cannot be normalised away honestly (an error stream, a memory address, a path of this machine in an output) is
a fault of the chapter: `machine_faults` names it.
"""

import re
from collections.abc import Iterator
from typing import Any

import nbformat

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
_LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
_DROPPED_FROM_NOTEBOOK = ("jupytext", "papermill", "widgets")
_DROPPED_FROM_CELLS = ("collapsed", "execution", "papermill")
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def _normalise_cell(cell: dict, number: int, count: int) -> None:
    cell["id"] = f"cell-{number:03d}"
    for key in _DROPPED_FROM_CELLS:
        cell["metadata"].pop(key, None)
    if not cell["metadata"].get("tags", True):
        del cell["metadata"]["tags"]
    if cell["cell_type"] == "code":
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count


def normalised(notebook: nbformat.NotebookNode) -> str:
    """Text of the normal form of an executed notebook, which is left as it is."""
    notebook = nbformat.from_dict(notebook)
    for key in _DROPPED_FROM_NOTEBOOK:
        notebook.metadata.pop(key, None)
    notebook.metadata["kernelspec"] = dict(KERNELSPEC)
    notebook.metadata["language_info"] = dict(_LANGUAGE)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for number, cell in enumerate(notebook.cells, 1):
        count += cell["cell_type"] == "code"
        _normalise_cell(cell, number, count)
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def machine_faults(notebook: nbformat.NotebookNode, *, home: str) -> list[str]:
    """What makes outputs depend on the machine, where the project lies in `home`."""
    told = [
        (n, output)
        for n, cell in enumerate(notebook.cells, 1)
        for output in cell.get("outputs", [])
    ]
    return [
        f"cell {number} {fault}"
        for number, output in told
        for fault in _output_faults(output, home)
    ]


def _output_faults(output: dict[str, Any], home: str) -> Iterator[str]:
    if output["output_type"] == "stream" and output["name"] == "stderr":
        yield f"writes to the error stream: {output['text'].strip()[:200]}"
    data = output.get("data", {"text/plain": output.get("text", "")})
    for text in [
        str(content) for mime, content in data.items() if not mime.startswith("image/")
    ]:
        if match := _ADDRESS.search(text):
            yield f"shows a memory address ({match[0]})"
        if home in text:
            yield f"shows a path of this machine ({home})"
