"""Names of the library in the code of a page are links, and no other name is."""

from pathlib import Path

from book.extensions.code_links import imported, linked, symbol
from privml import audit
from privml.mechanisms import LaplaceMechanism

HEAD = "import numpy as np\nfrom privml import LaplaceMechanism as Laplace, audit, notebook\n"


def span(name):
    return f'<span class="n">{name}</span>'


def cell(code):
    return f'<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>{code}</pre></div></div>'


DOT = '<span class="o">.</span>'


def test_the_imports_cell_says_what_is_the_librarys():
    found = imported(HEAD)
    assert (found["Laplace"], found["audit"]) == (LaplaceMechanism, audit)
    assert set(found) == {"Laplace", "audit", "notebook"}


def test_a_thing_is_named_as_its_file_defines_it():
    assert symbol(LaplaceMechanism) == "privml.mechanisms.additive.LaplaceMechanism"
    assert symbol(audit) == "privml.audit"
    assert symbol(len) == symbol(3) == ""


def test_names_of_the_library_are_links_and_others_are_not():
    known = {"Laplace": LaplaceMechanism, "audit": audit}
    code = f"{span('audit')}{DOT}{span('exact')}({span('Laplace')}{DOT}{span('scale')}, {span('other')})"
    made = linked(
        cell(code) + code, known, lambda thing: f"#{symbol(thing).rpartition('.')[2]}"
    )
    first = (
        f'<a class="library-name" href="#exact">{span("audit")}{DOT}{span("exact")}</a>'
    )
    second = f'<a class="library-name" href="#LaplaceMechanism">{span("Laplace")}</a>{DOT}{span("scale")}'
    assert made == cell(f"{first}({second}, {span('other')})") + code


def test_a_name_that_the_book_does_not_explain_stays_as_it_is():
    assert linked(cell(span("audit")), {"audit": audit}, lambda thing: "") == cell(
        span("audit")
    )


def test_a_name_is_linked_once_outside_of_the_imports_and_not_on_lines_that_follow_each_other():
    known, address = (
        {"Laplace": LaplaceMechanism, "audit": audit},
        lambda thing: "#here",
    )
    one = f'<a class="library-name" href="#here">{span("Laplace")}</a>'
    other = f'<a class="library-name" href="#here">{span("audit")}</a>'
    lines = [span("Laplace"), span("audit"), span("audit"), span("Laplace")]
    assert linked(cell("\n".join(lines)), known, address) == cell(
        "\n".join([one, lines[1], other, lines[3]])
    )
    first = '<span class="kn">import</span> '
    both = linked(cell(first + "\n".join(lines[:2])), known, address)
    assert both == cell(first + "\n".join([one, other]))


def test_one_sheet_of_styles_knows_the_links_so_that_no_other_moves_them():
    made = linked(cell(span("audit")), {"audit": audit}, lambda thing: "#here")
    name = made.partition('<a class="')[2].partition('"')[0]
    sheets = (Path(__file__).resolve().parents[2] / "book" / "_static").glob("*.css")
    assert [sheet.name for sheet in sheets if f".{name}" in sheet.read_text()] == [
        "privml.css"
    ]
