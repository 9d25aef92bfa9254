"""Texts of the inventory: what becomes LaTeX, what becomes an index, and what stays text."""

import re
from pathlib import Path

import pytest
from docutils import nodes

from book.extensions.typeset import inline
from book.tools import inventory

ROOT = Path(__file__).resolve().parents[3]
KNOWN = r"""
# , ! { } | approx arg alpha bar beta big Big cap cdot circ delta Delta dots ell emptyset equiv eta exists exp
forall frac gamma Gamma ge gg hat in inf infty int lambda langle lceil le left leftarrow lesssim lfloor lim
ll ln log mapsto mathbb mathcal mathfrak mathrm max mid min mu ne neq notin nu omega Omega perp phi pm Pr
prod propto rangle rceil rfloor rho right sigma sim sqrt subset subseteq sum sup tanh tau text tfrac theta
Theta tilde times to top varepsilon varnothing vartheta vee widehat xi zeta
"""


def texts():
    """Every text of the inventory that a page shows, with the item it belongs to."""
    for item in inventory.items(ROOT):
        yield item["id"], item["title"]
        yield item["id"], item["statement"]
        for entry in item["errata"] or []:
            yield from (
                (item["id"], entry[part]) for part in ("issue", "argument", "corrected")
            )


def flat(text):
    """A text as one line: _[...] lowered, ^[...] raised, $...$ LaTeX, <...> an id."""
    shown = {
        "subscript": "_[{}]",
        "superscript": "^[{}]",
        "math": "${}$",
        "literal": "<{}>",
    }

    def told(node):
        inner = "".join(map(told, node.children)) or node.astext()
        return shown.get(type(node).__name__, "{}").format(inner)

    return "".join(map(told, inline(text, an_id)))


def an_id(name):
    return nodes.literal("", name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ε ≤ log(1/δ), mistake_counts, {+1,−1}",
            "ε ≤ log(1/δ), mistake_counts, {+1,−1}",
        ),
        ("e^{−ε n^{2}}/n and h_{ex post}", "e^[−ε n^[2]]/n and h_[ex post]"),
        (r"at $x_{1}^2$ the ε", r"at $x_{1}^2$ the ε"),
        (
            "(DR11-alg-15, -alg-17), DR11-thm-3.20.",
            "(<DR11-alg-15>, -alg-17), <DR11-thm-3.20>.",
        ),
        ("", ""),
    ],
)
def test_a_text_is_set_as_a_reader_would_write_it(text, expected):
    assert flat(text) == expected


@pytest.mark.parametrize(
    "sign",
    [
        r"\$",
        "`",
        r"\\",
        r"[_^]\{",
        r"\b\w\^[\w-]",
        "<=|>=|!=|->",
        r"\beps(ilon)?\b|\bsqrt\b",
    ],
)
def test_no_text_of_the_inventory_types_a_formula_as_plain_text(sign):
    left = [
        (name, str(text))
        for name, said in texts()
        for text in inline(said, an_id)
        if is_text(text)
    ]
    assert (
        "\n".join(f"{name}: {text}" for name, text in left if re.search(sign, text))
        == ""
    )


def is_text(node):
    return isinstance(node, nodes.Text)


def test_the_formulas_of_the_inventory_are_known_to_mathjax():
    for name, text in texts():
        for piece in inline(text, an_id):
            if isinstance(piece, nodes.math):
                used = {
                    command.strip() or ","
                    for command in re.findall(r"\\([A-Za-z]+|.)", piece.astext())
                }
                assert used <= set(KNOWN.split()), name
                bare = re.sub(r"\\[{}]", "", piece.astext())
                assert bare.count("{") == bare.count("}"), name


def test_every_id_in_a_text_is_that_of_an_item():
    known = {item["id"] for item in inventory.items(ROOT)}
    pieces = (piece for _, text in texts() for piece in inline(text, an_id))
    named = {piece.astext() for piece in pieces if type(piece) is nodes.literal}
    assert named <= known
