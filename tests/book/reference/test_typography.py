"""The inventory's mixed notation: what becomes LaTeX, what becomes an index, and what stays text."""

import re
from pathlib import Path

import pytest

from book.tools import inventory
from book.tools.typography import pieces

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
            yield from ((item["id"], entry[part]) for part in ("issue", "argument", "corrected"))


def flat(found):
    """Pieces as one line: _[...] lowered, ^[...] raised, $...$ LaTeX, <...> an id."""
    shown = {"text": "{}", "math": "${}$", "id": "<{}>", "sub": "_[{}]", "sup": "^[{}]"}
    return "".join(shown[p.kind].format(flat(p.parts) if p.parts else p.text) for p in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eps <= log(1/delta)", "ε ≤ log(1/δ)"),
        ("epsilon-differential privacy", "ε-differential privacy"),
        ("theta, beta, better, deltas", "θ, β, better, deltas"),
        ("e^{-eps n^2}/n", "e^[−ε n^[2]]/n"),
        ("e^-eps and 10^-300", "e^[−ε] and 10^[−300]"),
        ("min_h err(h) <= h_1, h_inf", "min_[h] err(h) ≤ h_[1], h_[∞]"),
        ("sum_{p>=3} 1[w_p in B]", "∑_[p≥3] 1[w_[p] in B]"),
        (
            "a sum of losses, mistake_counts, standard_error",
            "a sum of losses, mistake_counts, standard_error",
        ),
        ("eps_ex_post", "ε_[ex post]"),
        ("sqrt n, sqrt(2/pi), (sqrt a - sqrt b)^2", "√n, √(2/π), (√a - √b)^[2]"),
        ("R-hat(h), O-tilde(d), err-hat", "R̂(h), Õ(d), err-hat"),
        ("S, S' and P'(E), the authors' claim", "S, S′ and P′(E), the authors' claim"),
        ("D on X x {+1,-1}, 0.5 x 0.8, x = 1", "D on X × {+1,−1}, 0.5 × 0.8, x = 1"),
        ("a -> b => c <- w != v, 1 +/- 2, a >> b", "a → b ⇒ c ← w ≠ v, 1 ± 2, a ≫ b"),
        ("half-open, L4 and n-1", "half-open, L4 and n-1"),
        (r"at $x_1^2$ the eps", r"at $x_1^2$ the ε"),
        ("see DR11-thm-3.20.", "see <DR11-thm-3.20>."),
        ("(DR11-alg-15, -alg-17)", "(<DR11-alg-15>, -alg-17)"),
        ("", ""),
    ],
)
def test_a_text_is_set_as_a_reader_would_write_it(text, expected):
    assert flat(pieces(text)) == expected


@pytest.mark.parametrize("text", ["cost $5", "e^{-eps", "sum_{i"])
def test_what_is_not_balanced_is_refused(text):
    with pytest.raises(ValueError, match="must be balanced"):
        pieces(text)


def test_every_text_of_the_inventory_can_be_set():
    for name, text in texts():
        left = "".join(piece.text for piece in pieces(text) if piece.kind == "text")
        assert "$" not in left, name
        assert "\\" not in left, f"{name}: LaTeX outside of dollars"
        assert "`" not in left, f"{name}: markup in plain text"


def test_every_formula_uses_commands_that_mathjax_knows_and_closes_its_braces():
    for name, text in texts():
        for piece in pieces(text):
            if piece.kind == "math":
                used = {command.strip() or "," for command in re.findall(r"\\([A-Za-z]+|.)", piece.text)}
                assert used <= set(KNOWN.split()), name
                bare = re.sub(r"\\[{}]", "", piece.text)
                assert bare.count("{") == bare.count("}"), name


def test_every_id_in_a_text_is_that_of_an_item():
    known = {item["id"] for item in inventory.items(ROOT)}
    named = {piece.text for _, text in texts() for piece in pieces(text) if piece.kind == "id"}
    assert named <= known
