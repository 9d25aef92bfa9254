"""Marks of statements that Coq has checked, and the page of all of them."""

import json

import pytest

PART = """(** * A part *)

(** book: l4-def-two -- a half *)
Definition two : nat := 2.

(** book: l4-thm-one *)
Theorem bound x :
  x < S x.
Proof. apply PeanoNat.Nat.lt_succ_diag_r. Qed.

(** checked -- a bound with $\\sqrt x$ *)
Lemma beside : True.
Proof. exact I. Qed.
"""
AXIOMS = json.dumps({"bound": ["classic"], "beside": []})
PAGE = "# Checked\n\n```{checked-proofs}\n```\n"


@pytest.fixture
def checked(built, sources):
    """Build the small book with proofs, from a file of Coq."""

    def run(part: str):
        start = sources["index.md"].replace("errata\nindex", "errata\nchecked\nindex")
        proofs = {"proofs/Part.v": part, "proofs/assumptions.json": AXIOMS}
        return built(sources | proofs | {"index.md": start, "checked.md": PAGE})

    return run


def test_a_box_shows_the_statements_of_its_labels_as_their_source_has_them(checked):
    book = checked(PART)
    assert book.warnings == ""
    [mark] = book.page("index").select(".box-fold.checked")
    assert mark.summary["aria-label"] == "checked by Coq"
    assert [pre.get_text().strip() for pre in mark.find_all("pre")] == [
        "Definition two : nat := 2.",
        "Theorem bound x :\n  x < S x.",
    ]
    first, second = mark.select(".box-links")
    assert first.get_text().startswith("Here: a half · proofs/Part.v")
    assert second.get_text().startswith("axioms: classic · proofs/Part.v")
    assert second.a["href"] == "_source/proofs/Part.v.html#bound"
    source = book.page("_source/proofs/Part.v")
    assert source.find(id="bound") is not None
    assert source.main.a["href"].endswith("checked.html")


def test_the_page_lists_theorems_and_definitions_apart(checked):
    theorems, definitions = checked(PART).page("checked").select("table.checked-proofs")
    rows = [
        [cell.get_text(strip=True) for cell in row.find_all("td")]
        for row in theorems.select("tbody tr")
    ]
    assert rows[0] == ["Theorem 1", "bound", "", "classic"]
    assert (rows[1][0], rows[1][1], rows[1][3]) == ("not in the book", "beside", "none")
    [row] = definitions.select("tbody tr")
    assert [cell.get_text(strip=True) for cell in row.find_all("td")][1:] == [
        "two",
        "a half",
    ]


def test_a_label_that_no_box_has_is_a_warning(checked):
    said = checked(PART.replace("book: l4-thm-one", "book: thm-of-nowhere")).warnings
    assert "proofs/Part.v: no statement has the label thm-of-nowhere" in said


def test_a_book_without_proofs_has_no_marks(small):
    assert small.page("index").select(".checked") == []
