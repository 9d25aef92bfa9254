"""Every core item of a finished source has a symbol, a test and a label in the book."""

from pathlib import Path

import pytest

from book.tools import inventory

ROOT = Path(__file__).resolve().parent.parent

FINISHED = {
    "L4",
    "S16",
    "DR11",
    "WLF16-eq-3",
    "WLF16-def-2",
    "WLF16-def-27",
    "WLF16-eq-group-privacy",
    "WLF16-eq-6",
    "WLF16-eq-7",
    "WLF16-rem-beimel-log-H",
    "WLF16-thm-18",
    "WLF16-def-setting",
    "WLF16-def-consistency",
    "WLF16-def-1",
    "WLF16-tab-1",
    "WLF16-fig-1",
    "WLF16-def-3",
    "WLF16-thm-7",
    "WLF16-rem-thm-7-scope",
    "WLF16-lem-10",
    "WLF16-prop-11",
    "WLF16-rem-uniform-convergence",
    "WLF16-prop-12",
    "WLF16-def-13",
    "WLF16-lem-14",
    "WLF16-thm-15",
    "WLF16-ex-16",
    "WLF16-ex-17",
    "WLF16-ex-22",
    "WLF16-ex-23",
    "WLF16-ex-24",
    "WLF16-def-5",
    "WLF16-def-6",
    "WLF16-lem-4",
    "WLF16-lem-8",
    "WLF16-lem-29",
    "WLF16-lem-30",
    "WLF16-rem-lem-8-converse",
    "WLF16-rem-lem-10-alternative",
    "WLF16-cor-9",
    "WLF16-lem-38",
    "WLF16-rem-appB",
    "WLF16-ex-appB-mean",
    "WLF16-thm-35",
    "WLF16-fig-2",
    "WLF16-def-28",
    "WLF16-def-negligible",
    "WLF16-lem-31",
    "WLF16-thm-32",
    "WLF16-prop-33",
    "WLF16-fig-4",
    "WLF16-rem-phase-transition",
    "WLF16-eq-9",
    "WLF16-cond-A2",
    "WLF16-lem-36",
    "WLF16-lem-37",
    "WLF16-thm-19",
    "WLF16-fig-3",
    "WLF16-ex-20",
    "WLF16-ex-21",
    "LZCW21-alg-pate-framework",
    "LZCW21-eq-1",
    "LZCW21-alg-1",
    "LZCW21-alg-3",
    "LZCW21-rem-ex-post",
    "LZCW21-alg-2",
    "LZCW21-thm-2",
    "LZCW21-thm-26",
    "LZCW21-lem-3",
    "LZCW21-lem-4",
    "LZCW21-thm-5",
    "LZCW21-thm-27",
    "LZCW21-rem-6",
    "LZCW21-def-1",
    "LZCW21-lem-40",
    "LZCW21-def-50",
    "LZCW21-lem-51",
    "LZCW21-lem-52",
    "WLF16-eq-8",
    "WLF16-cond-A1",
    "WLF16-alg-1",
    "WLF16-eq-18",
    "WLF16-prop-26",
    "WLF16-alg-boost",
    "WLF16-thm-25",
    "WLF16-rem-markov",
    "WLF16-rem-infinite-domain",
    "LZCW21-alg-4",
    "LZCW21-def-7",
    "LZCW21-lem-33",
    "LZCW21-lem-39",
    "LZCW21-alg-5",
    "LZCW21-thm-22",
    "LZCW21-thm-34",
    "LZCW21-rem-23",
    "LZCW21-rem-24",
    "LZCW21-rem-25",
    "LZCW21-def-disagreement-coefficient",
    "LZCW21-def-8",
    "LZCW21-rem-massart",
    "LZCW21-rem-agnostic-vacuous",
    "LZCW21-lem-9",
    "LZCW21-rem-erm-fast-rate",
    "LZCW21-lem-35",
    "LZCW21-lem-36",
    "LZCW21-lem-37",
    "LZCW21-lem-38",
    "LZCW21-thm-10",
    "LZCW21-rem-11",
    "LZCW21-rem-12",
    "LZCW21-lem-13",
    "LZCW21-lem-14",
    "LZCW21-lem-15",
    "LZCW21-rem-16",
    "LZCW21-thm-28",
    "LZCW21-rem-29",
    "LZCW21-tab-1",
    "LZCW21-rem-contributions",
    "LZCW21-ex-1",
    "LZCW21-fig-1",
    "LZCW21-ex-2",
    "LZCW21-def-infinite-ensemble",
    "LZCW21-fig-2",
    "LZCW21-eq-4",
    "LZCW21-def-17",
    "LZCW21-prop-18",
    "LZCW21-prop-30",
    "LZCW21-thm-19",
    "LZCW21-thm-31",
    "LZCW21-def-vote-class",
    "LZCW21-thm-20",
    "LZCW21-thm-32",
    "LZCW21-rem-21",
    "LZCW21-rem-inconsistency",
    "LZCW21-tab-3",
    "LZCW21-tab-4",
    "LZCW21-rem-experiment-setup",
    "LZCW21-rem-observations",
    "LZCW21-ex-appE-adult",
    "LZCW21-fig-3",
    "LZCW21-fig-4",
}

INVENTORY = """
- {id: L4-thm-one, source: L4, tier: core, title: One}
- {id: L4-lem-two, source: L4, tier: support, title: Two}
- {id: L4-rem-three, source: L4, tier: context, title: Three}
- {id: S16-thm-four, source: S16, tier: core, title: Four}
"""
SYMBOL = 'def bound():\n    """A bound.\n\n    **Source.** L4-thm-one, Theorem 1.\n    """\n'
TEST = 'import pytest\n\n@pytest.mark.source("L4-thm-one")\ndef test_bound():\n    pass\n'
PAGE = "# Page\n\n```{prf:theorem}\n:label: l4-thm-one\nText.\n```\n\n(l4-lem-two)=\n## More\n"


@pytest.fixture
def tree(tmp_path):
    """A small repository in which source L4 is finished."""

    def write(name, text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    write("_toc.yml", "format: jb-book\nroot: book/page\n")
    write("book/inventory.yml", INVENTORY)
    write("book/page.md", PAGE)
    write("privml/bounds.py", SYMBOL)
    write("tests/test_bounds.py", TEST)
    return tmp_path, write


def test_every_core_item_of_the_finished_sources_has_symbol_test_and_label():
    assert inventory.shortfalls(ROOT, FINISHED) == []


def test_finished_names_are_sources_or_items_of_the_inventory():
    listed = inventory.items(ROOT)
    assert {item["source"] for item in listed} | {item["id"] for item in listed} >= FINISHED


@pytest.mark.parametrize("claims", [inventory.symbols, inventory.tests], ids=["docstrings", "markers"])
def test_every_id_that_is_named_exists(claims):
    assert set(claims(ROOT)) <= {item["id"] for item in inventory.items(ROOT)}


def test_no_label_is_defined_twice():
    assert {label: pages for label, pages in inventory.labels(ROOT).items() if len(pages) > 1} == {}


def test_a_complete_tree_has_no_shortfall_and_unfinished_sources_are_not_asked_for(tree):
    root, _ = tree
    assert inventory.shortfalls(root, {"L4"}) == []
    assert len(inventory.shortfalls(root, {"L4", "S16-thm-four"})) == 1


@pytest.mark.parametrize(
    ("name", "text", "lacks"),
    [
        ("privml/bounds.py", "# L4-thm-one\nNAME = 'L4-thm-one'\n", "symbol"),
        ("tests/test_bounds.py", TEST.replace("@pytest", "# @pytest"), "test"),
        ("tests/test_bounds.py", TEST.replace("test_bound()", "helper()"), "test"),
        ("tests/test_bounds.py", TEST.replace("L4-thm-one", "L4-thm-one-more"), "test"),
        ("book/page.md", PAGE.replace(":label: l4-thm-one", ":label: l4-thm-other"), "label"),
        ("book/page.md", "# Page\n\n```python\n(l4-thm-one)=\n```\n\n(l4-lem-two)=\n", "label"),
        ("book/page.md", "# Page\n\nThe label l4-thm-one.\n\n(l4-lem-two)=\n", "label"),
    ],
)
def test_a_claim_that_is_not_a_claim_is_seen(tree, name, text, lacks):
    root, write = tree
    write(name, text)
    assert inventory.shortfalls(root, {"L4"}) == [f"L4-thm-one (core) lacks {lacks}: One"]


def test_a_supporting_item_needs_a_test_or_a_label(tree):
    root, write = tree
    write("book/page.md", PAGE.replace("(l4-lem-two)=\n", ""))
    assert inventory.shortfalls(root, {"L4"}) == ["L4-lem-two (support) lacks symbol, test, label: Two"]
    write("tests/test_more.py", 'import pytest\npytestmark = pytest.mark.source("L4-lem-two")\n')
    assert inventory.shortfalls(root, {"L4"}) == []


def test_a_page_outside_the_contents_claims_nothing(tree):
    root, write = tree
    write("book/draft.md", PAGE)
    write("book/page.md", "# Page\n")
    assert len(inventory.shortfalls(root, {"L4"})) == 2


def test_the_first_erratum_of_an_item_has_two_names(tree):
    root, write = tree
    marks = '@pytest.mark.erratum("L4-thm-one/1", "L4-lem-two", "L4-lem-two/2")'
    write("tests/test_errata.py", f"import pytest\n\n{marks}\ndef test_it():\n    pass\n")
    assert sorted(inventory.errata(root)) == ["L4-lem-two", "L4-lem-two/2", "L4-thm-one"]
