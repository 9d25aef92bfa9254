"""Every core item of a finished source has a symbol, a test and a label in the book."""

from pathlib import Path

import pytest

from book import check
from book.tools import inventory
from book.tools.chapters import pages, source_of
from book.tools.results import Evidence, status

ROOT = Path(__file__).resolve().parent.parent
INVENTORY = """
- {id: L4-thm-one, source: L4, tier: core, title: One}
- {id: L4-lem-two, source: L4, tier: support, title: Two}
- {id: L4-rem-three, source: L4, tier: context, title: Three}
- {id: S16-thm-four, source: S16, tier: core, title: Four}
"""
SYMBOL = (
    'def bound():\n    """A bound.\n\n    **Source.** L4-thm-one, Theorem 1.\n    """\n'
)
TEST = (
    'import pytest\n\n@pytest.mark.source("L4-thm-one")\ndef test_bound():\n    pass\n'
)
PAGE = "# Page\n\n```{prf:theorem}\n:label: l4-thm-one\nText.\n```\n\n(l4-lem-two)=\n## More\n"


def shortfalls(root):
    """Sentences about items of tier core or support that are not covered."""
    symbols, tests = inventory.symbols(root), inventory.marked(root, "source")
    labels = check.places(
        {page: source_of(root, page).read_text() for page in pages(root)}
    )
    for item in inventory.items(root):
        name, tier = item["id"], item["tier"]
        has = Evidence(
            symbols.get(name, []), tests.get(name, []), name.lower() in labels
        )
        if tier != "context" and status(tier, has) != "covered":
            lacks = [
                kind
                for kind, there in zip(("symbol", "test", "label"), has, strict=True)
                if not there
            ]
            yield f"{name} ({tier}) lacks {', '.join(lacks)}: {item['title']}"


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


def test_every_core_item_of_the_sources_has_symbol_test_and_label():
    assert list(shortfalls(ROOT)) == []


def of_l4(root):
    """Sentences about the items of L4."""
    return [sentence for sentence in shortfalls(root) if sentence.startswith("L4")]


def test_what_nothing_claims_falls_short(tree):
    root, _ = tree
    assert list(shortfalls(root)) == [
        "S16-thm-four (core) lacks symbol, test, label: Four"
    ]


@pytest.mark.parametrize(
    ("name", "text", "lacks"),
    [
        ("privml/bounds.py", "# L4-thm-one\nNAME = 'L4-thm-one'\n", "symbol"),
        ("tests/test_bounds.py", TEST.replace("@pytest", "# @pytest"), "test"),
        ("tests/test_bounds.py", TEST.replace("test_bound()", "helper()"), "test"),
        ("tests/test_bounds.py", TEST.replace("L4-thm-one", "L4-thm-one-more"), "test"),
        (
            "book/page.md",
            PAGE.replace(":label: l4-thm-one", ":label: l4-thm-other"),
            "label",
        ),
        (
            "book/page.md",
            "# Page\n\n```python\n(l4-thm-one)=\n```\n\n(l4-lem-two)=\n",
            "label",
        ),
        ("book/page.md", "# Page\n\nThe label l4-thm-one.\n\n(l4-lem-two)=\n", "label"),
    ],
)
def test_a_claim_that_is_not_a_claim_is_seen(tree, name, text, lacks):
    root, write = tree
    write(name, text)
    assert of_l4(root) == [f"L4-thm-one (core) lacks {lacks}: One"]


def test_a_supporting_item_needs_a_test_or_a_label(tree):
    root, write = tree
    write("book/page.md", PAGE.replace("(l4-lem-two)=\n", ""))
    assert of_l4(root) == ["L4-lem-two (support) lacks symbol, test, label: Two"]
    write(
        "tests/test_more.py",
        'import pytest\npytestmark = pytest.mark.source("L4-lem-two")\n',
    )
    assert of_l4(root) == []


def test_a_page_outside_the_contents_claims_nothing(tree):
    root, write = tree
    write("book/draft.md", PAGE)
    write("book/page.md", "# Page\n")
    assert len(of_l4(root)) == 2


def test_the_first_erratum_of_an_item_has_two_names(tree):
    root, write = tree
    marks = '@pytest.mark.erratum("L4-thm-one/1", "L4-lem-two", "L4-lem-two/2")'
    write(
        "tests/test_errata.py", f"import pytest\n\n{marks}\ndef test_it():\n    pass\n"
    )
    assert sorted(inventory.errata(root)) == [
        "L4-lem-two",
        "L4-lem-two/2",
        "L4-thm-one",
    ]
