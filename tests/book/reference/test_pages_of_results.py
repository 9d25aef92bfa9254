"""The map of results, the errata, the index, and the links between them and the statements."""

import re

import pytest

from book.tools import results


def row(page, name):
    return page.find(id=f"item-{name.lower()}")


def test_the_small_book_builds_without_a_warning(small):
    assert small.warnings == ""


def test_an_item_shows_its_place_its_code_its_tests_and_its_status(small):
    cells = row(small.page("results"), "L4-thm-one").find_all("td")
    assert cells[1].a["href"] == "index.html#l4-thm-one"
    assert cells[1].get_text(strip=True) == "Theorem 1"
    assert cells[2].get_text(strip=True) == "bounds.bound"
    assert {a.get_text(strip=True): a["href"] for a in cells[3].find_all("a")} == {
        "tests/test_bounds.py::test_the_bound_holds": "_source/tests/test_bounds.html#test_the_bound_holds",
        "tests/test_bounds.py::test_the_printed_bound_fails": (
            "_source/tests/test_bounds.html#test_the_printed_bound_fails"
        ),
    }
    assert cells[4].get_text(strip=True) == "covered"
    assert (
        cells[0].find("a", string="1 erratum, 1 slip")["href"]
        == "errata.html#erratum-l4-thm-one"
    )


def test_a_target_before_a_statement_leads_to_its_number(small):
    assert (
        row(small.page("results"), "L4-def-two").find_all("td")[1].get_text(strip=True)
        == "Theorem 1"
    )


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("L4-thm-one", "covered"),
        ("L4-def-two", "covered"),
        ("L4-rem-three", "not yet"),
        ("S16-lem-two", "partly"),
    ],
)
def test_the_status_is_that_of_the_evidence(small, name, status):
    found = row(small.page("results"), name)
    assert found.find(class_="status").get_text() == status
    assert f"status-{status.replace(' ', '-')}" in found["class"]


def test_the_counts_add_up(small):
    table = small.page("results").select("table.counts tbody tr")
    rows = [tr.get_text(" ", strip=True).split() for tr in table]
    assert rows[0] == ["L4", "3", "2", "0", "1", "1", "1"]
    assert rows[-1] == ["All", "4", "2", "1", "1", "1", "1"]


def test_texts_of_the_inventory_are_escaped_and_their_formulas_typeset(small):
    title = row(small.page("results"), "L4-thm-one").strong
    assert title.get_text() == r"A bound of order \(\sqrt n\) & <b>no</b> markup"
    assert title.find("b") is None
    entry = small.page("errata").find(id="erratum-l4-thm-one")
    assert entry.find("i") is None
    assert "the sum <i> over n1 is printed".capitalize()[1:] in entry.get_text()
    assert entry.find("sub").get_text() == "1"
    assert [math.get_text() for math in entry.select("dd .math")] == [r"\(\sum_i x_i\)"]


def test_an_erratum_says_what_is_printed_what_holds_why_and_how_sure_we_are(small):
    entry = small.page("errata").find(id="erratum-l4-thm-one-2")
    parts = dict(zip(entry.find_all("dt"), entry.find_all("dd"), strict=True))
    texts = {
        re.sub(r"\W+$", "", key.get_text()): dd.get_text(" ", strip=True)
        for key, dd in parts.items()
    }
    assert texts == {
        "In the source": "False for large ε",
        "What holds": "As in the statement.",
        "Why": "Checked at ε=2.",
        "Shown by": "tests/test_bounds.py::test_the_printed_bound_fails",
        "Told in": "Theorem 1 of Start, a note in Start",
        "Confidence": "medium",
    }


def test_a_test_of_the_item_is_not_sold_as_a_test_of_the_erratum(small):
    shown = small.page("errata").find(id="erratum-l4-thm-one").find("details")
    assert (
        shown.summary.get_text()
        == "No test of its own yet; 2 tests of what we state instead"
    )


def test_a_slip_in_a_scanned_source_may_be_the_scanner_s(small):
    page = small.page("errata")
    assert "character recognition" in page.find(id="erratum-l4-thm-one").get_text()
    assert (
        "character recognition" not in page.find(id="erratum-l4-thm-one-2").get_text()
    )


def test_errata_stand_under_their_source_and_type(small):
    page = small.page("errata")
    assert (
        page.find(id="errata-l4-typo").find(class_="erratum")["id"]
        == "erratum-l4-thm-one"
    )
    assert (
        page.find(id="errata-l4-wrong").find(class_="erratum")["id"]
        == "erratum-l4-thm-one-2"
    )
    assert (
        page.find(id="errata-s16-refuted").find(class_="erratum")["id"]
        == "erratum-s16-lem-two"
    )


def test_errata_slips_and_remarks_are_counted_apart_and_each_is_the_sum_of_its_types(
    small,
):
    found = small.page("errata").select("table.counts tbody tr")
    rows = [tr.get_text("|", strip=True).split("|") for tr in found]
    numbers = {name: int(total) for name, *_, total, _ in rows}
    assert [numbers[name] for name in ("Errata", "Slips", "Remarks")] == [1, 1, 1]
    for many, types in results.KINDS.values():
        parts = [
            numbers[results.TYPES[one]]
            for one in types
            if results.TYPES[one] in numbers
        ]
        assert sum(parts) == (numbers[many.capitalize()] if len(types) > 1 else 0)


def test_an_id_in_an_argument_leads_to_that_item(small):
    entry = small.page("errata").find(id="erratum-l4-thm-one")
    assert entry.find("a", string="S16-lem-two")["href"] == "#erratum-s16-lem-two"


def test_a_note_leads_to_its_erratum_and_the_erratum_back_to_the_note(small):
    link = small.page("index").find(
        "a", href="errata.html#erratum-l4-thm-one-2", string=None
    )
    mentions = (
        small.page("errata")
        .find(id="erratum-l4-thm-one-2")
        .find_all("a", href=re.compile("mention-"))
    )
    assert [a["href"] for a in mentions] == [
        f"index.html#{link.find_parent(id=True)['id']}"
    ]
    assert (
        small.page("index").find("a", string="S16-lem-two")["href"]
        == "results.html#item-s16-lem-two"
    )


def test_a_statement_ends_with_its_items_its_code_its_tests_and_its_errata(small):
    line = small.page("index").find(id="l4-thm-one").find(class_="box-links")
    *rest, errata = line.get_text().split(" · ")
    assert rest == ["L4-thm-one", "L4-def-two", "code: bounds.bound", "2 tests"]
    assert errata == "1 erratum, 1 slip of L4-thm-one"
    assert (
        line.find_parent("details").summary["aria-label"]
        == "source, code, tests, 1 erratum, 1 slip"
    )
    assert small.page("index").find(id="rem-free").find(class_="box-links") is None


def test_a_statement_with_a_title_is_in_the_index(small):
    section = small.page("index-of-terms").find(id="index-a")
    assert section.li.get_text() == "A bound (theorem), Start"
    assert section.li.a["href"] == "index.html#l4-thm-one"


def test_no_anchor_is_given_twice(small):
    for name in ("index", "results", "errata", "index-of-terms"):
        ids = [tag["id"] for tag in small.page(name).find_all(id=True)]
        assert len(ids) == len(set(ids))


def test_the_source_of_a_test_opens_where_it_begins(small):
    code = small.page("_source/tests/test_bounds").find("pre")
    anchor = code.find(id="test_the_printed_bound_fails")
    following = "".join(str(s) for s in anchor.find_all_next(string=True))
    assert following.lstrip().startswith('@pytest.mark.erratum("L4-thm-one/2")')
    assert code.get_text() == (small.root / "tests/test_bounds.py").read_text()


CODE, TESTS = "privml/bounds.py", "tests/test_bounds.py"


@pytest.mark.parametrize(
    ("file", "old", "new", "warning"),
    [
        (
            "index.md",
            "{item}`S16-lem-two`",
            "{item}`S16-x`",
            "no item of the inventory is called 'S16-x'",
        ),
        (
            "index.md",
            "one/2`",
            "one/3`",
            "no erratum of the inventory is called 'L4-thm-one/3'",
        ),
        (
            "index.md",
            "label: rem-free",
            "label: l4-rem-x",
            "the label l4-rem-x is no item of the inventory",
        ),
        (
            "index.md",
            "(l4-def-two)=",
            "(s16-def-two)=",
            "the label s16-def-two is no item of the inventory",
        ),
        (
            CODE,
            "S16-lem-two",
            "S16-x",
            "has no S16-x, which a docstring names: privml.bounds.Law.mass",
        ),
        (
            TESTS,
            '", "S16-lem-two"',
            '", "S16-x"',
            "has no S16-x, which a marker source names: tests/",
        ),
        (
            TESTS,
            "one/2",
            "one/9",
            "has no L4-thm-one/9, which a marker erratum names: tests/",
        ),
    ],
)
def test_a_name_that_does_not_exist_is_a_warning_with_its_place(
    built_with, file, old, new, warning
):
    found = built_with(file, old, new).warnings
    assert warning in found
    assert file != "index.md" or re.search(r"index\.md:\d+: WARNING", found)


def test_an_item_and_an_erratum_whose_pages_are_not_made_are_words_without_a_warning(
    built, sources
):
    lacking = ("results.md", "errata.md", "index-of-terms.md")
    kept = {name: text for name, text in sources.items() if name not in lacking}
    made = built(kept | {"index.md": sources["index.md"].partition("```{toctree}")[0]})
    assert made.warnings == ""
    assert "see the errata, L4-thm-one/2, S16-lem-two." in made.page("index").get_text()
    assert made.page("index").find("a", string="S16-lem-two") is None


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (TESTS, "@pytest.mark.source", "# @pytest.mark.source"),
        (CODE, "L4-thm-one, and", "See"),
        ("index.md", ":label: l4-thm-one\n", ""),
    ],
)
def test_what_is_taken_away_is_missed(built_with, file, old, new):
    page = built_with(file, old, new).page("results")
    assert row(page, "L4-thm-one").find(class_="status").get_text() == "partly"


def test_a_book_without_inventory_has_nothing_to_say(built):
    assert (
        built(
            {"index.md": "# Start\n\n```{prf:theorem}\n:label: l4-thm-one\nIt.\n```\n"}
        ).warnings
        == ""
    )
