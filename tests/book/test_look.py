"""What the look of the pages stands on: faces, the contents that fold, and the word that begins a proof."""

import re

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from sphinx_proof.nodes import proof_node

from book.extensions import accessible
from book.tools.chapters import ROOT

STATIC = ROOT / "book" / "_static"
CONTENTS = """\
<p class="caption"><span class="caption-text">Before</span></p>
<ul><li><a href="one.html">1. One</a></li></ul>
<p class="caption"><span class="caption-text">After</span></p>
<ul class="current"><li class="current"><a class="current" href="#">2. Two</a></li></ul>
"""


def test_every_face_that_a_style_names_is_there_light_and_has_a_licence():
    named = set(
        re.findall(r"url\(fonts/([\w.-]+)\)", (STATIC / "look.css").read_text())
    )
    files = {file.name: file for file in (STATIC / "fonts").glob("*.woff2")}
    assert set(files) == named != set()
    assert all(file.read_bytes()[:4] == b"wOF2" for file in files.values())
    assert sum(file.stat().st_size for file in files.values()) <= 150_000
    licence = (STATIC / "fonts" / "OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    for face in re.findall(
        r'@font-face \{ font-family: "([^"]+)"', (STATIC / "look.css").read_text()
    ):
        assert f"{face}: Copyright" in licence


def test_only_the_part_of_the_page_is_unfolded_and_the_page_lists_its_units():
    page = nodes.bullet_list()
    for title, anchor in (
        ("Unit 1: Why?", "#why"),
        ("Exactly", "#exactly"),
        ("Unit 2: How?", "#how"),
    ):
        page += nodes.list_item(
            "", nodes.paragraph("", "", nodes.reference("", title, anchorname=anchor))
        )
    made = BeautifulSoup(accessible._named(lambda: CONTENTS, page)(), "html.parser")
    parts = made.find_all("details", recursive=False)
    found = [(part.summary.get_text(), part.has_attr("open")) for part in parts]
    assert found == [("Before", False), ("After", True)]
    found = [[link["href"] for link in part.select("ul a")] for part in parts]
    assert found == [["one.html"], ["#", "#why", "#how"]]
    assert [link.get_text() for link in parts[1].select(".nav-units a")] == [
        "Unit 1: Why?",
        "Unit 2: How?",
    ]


class Written(nodes.SparseNodeVisitor):
    """As much of a writer of pages as a proof asks for."""

    def __init__(self):
        super().__init__(new_document(""))
        self.body = []

    def visit_Text(self, node):
        self.body.append(node.astext())

    def visit_proof_node(self, node):
        accessible.open_proof(self, node)


def test_a_proof_stands_open_and_folds_under_its_word_which_it_says_once():
    box = nodes.admonition(
        "", nodes.paragraph("", "Proof. Trivial."), nodes.paragraph("", "Proof. Again.")
    )
    proof_node("", box).walkabout(written := Written())
    made = BeautifulSoup("".join(written.body), "html.parser")
    assert made.details.has_attr("open")
    assert made.summary.get_text() == "Proof."
    made.summary.decompose()
    assert made.get_text().strip() == "Trivial.Proof. Again."
