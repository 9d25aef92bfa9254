"""The normal form of notebooks: `book.tools.normalise`."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book.tools.chapters import Chapter
from book.tools.execute import executed as run
from book.tools.normalise import machine_faults, normalised


def executed(
    *, when="2020-01-01", cell_id="aaaa", version="3.11.7", printed="one\ntwo\n"
):
    """A notebook as papermill leaves it, with everything that differs from run to run."""
    outputs = [new_output("stream", name="stdout", text=printed)]
    outputs.append(new_output("execute_result", {"text/plain": "3"}, execution_count=7))
    stamp = {
        "papermill": {"start_time": when},
        "execution": {"iopub.execute_input": when},
        "tags": [],
    }
    cells = [
        new_markdown_cell("# Title", id=f"{cell_id}1", metadata=dict(stamp)),
        new_code_cell(
            "1 + 2",
            id=f"{cell_id}2",
            metadata=dict(stamp),
            outputs=outputs,
            execution_count=7,
        ),
        new_code_cell(
            "4", id=f"{cell_id}3", metadata={"tags": ["parameters"]}, execution_count=9
        ),
    ]
    metadata = {
        "papermill": {"output_path": f"/tmp/{when}"},
        "jupytext": {"text_representation": {"jupytext_version": version}},
        "language_info": {"name": "python", "version": version},
        "kernelspec": {
            "name": "python3",
            "display_name": version,
            "language": "python",
        },
    }
    return new_notebook(cells=cells, metadata=metadata)


def test_two_runs_that_differ_in_clock_ids_and_versions_have_one_normal_form():
    other = executed(when="2030-12-31", cell_id="bbbb", version="3.13.0")
    assert normalised(executed()) == normalised(other)


def test_two_runs_with_different_outputs_differ():
    assert normalised(executed()) != normalised(executed(printed="one\nthree\n"))


def test_the_normal_form_names_neither_clock_nor_versions_and_counts_code_cells_from_one():
    text = normalised(executed())
    for word in ("2020", "papermill", "jupytext", "3.11.7", "aaaa"):
        assert word not in text
    cells = json.loads(text)["cells"]
    assert [cell["id"] for cell in cells] == ["cell-001", "cell-002", "cell-003"]
    assert [cell["execution_count"] for cell in cells[1:]] == [1, 2]
    assert cells[1]["outputs"][1]["execution_count"] == 1
    assert [cell["metadata"] for cell in cells] == [{}, {}, {"tags": ["parameters"]}]


def test_the_normal_form_is_a_valid_notebook_and_normalising_twice_changes_nothing():
    text = normalised(executed())
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert normalised(notebook) == text


def test_the_notebook_that_is_given_stays_as_it_is():
    notebook = executed()
    before = nbformat.writes(notebook)
    normalised(notebook)
    assert nbformat.writes(notebook) == before


PIECES = """for k in range(3):
    print(k, flush=True)
    time.sleep(0.3)
"""


def test_pieces_of_one_stream_are_joined_as_they_arrive(small_book):
    chapter = Chapter(small_book, "a-chapter")
    head, _, _ = chapter.source.read_text().partition("import numpy")
    chapter.source.write_text(
        f"{head}import time\n```\n\n```{{code-cell}}\n{PIECES}```\n"
    )
    [output] = run(chapter).cells[-1].outputs
    assert output.text == "0\n1\n2\n"


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (
            new_output("stream", name="stderr", text="Warning: slow"),
            "cell 2 writes to the error stream",
        ),
        (
            new_output("display_data", {"text/plain": "<f at 0x7f00aa11>"}),
            "cell 2 shows a memory address",
        ),
        (
            new_output("display_data", {"text/html": "<b>/home/me/book/x</b>"}),
            "cell 2 shows a path of this",
        ),
        (
            new_output("stream", name="stdout", text="/home/me/book"),
            "cell 2 shows a path of this machine",
        ),
    ],
)
def test_what_cannot_be_normalised_honestly_is_a_fault(output, fault):
    notebook = executed()
    assert machine_faults(notebook, home="/home/me/book") == []
    notebook.cells[1].outputs = [output]
    [found] = machine_faults(notebook, home="/home/me/book")
    assert found.startswith(fault)


def test_pictures_are_not_searched_for_paths():
    notebook = executed()
    notebook.cells[1].outputs = [
        new_output("display_data", {"image/png": "aGkgL2hvbWUvbWU="})
    ]
    assert machine_faults(notebook, home="aGkg") == []
