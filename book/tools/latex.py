"""Text as LaTeX that pdflatex reads: plain ASCII, symbols and roots as formulas, accents as commands."""

import re
import unicodedata

_GREEK = "alpha beta gamma delta zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_SYMBOLS = {
    **dict(zip("αβγδζηθκλμνξπρστφχψω", _GREEK.split(), strict=True)),
    "ε": "varepsilon", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi",
    "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell", "≤": "le", "≥": "ge", "≠": "ne",
    "≈": "approx", "×": "times", "·": "cdot", "∞": "infty", "∈": "in", "→": "to", "±": "pm", "½": "frac12",
}  # fmt: skip
_SIGNS = {"−": "-", "<": "<", ">": ">", "|": "|"}
_PUNCTUATION = {
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "§": r"\S{}",
    "\N{NO-BREAK SPACE}": "~", "\N{NARROW NO-BREAK SPACE}": "~", "\N{THIN SPACE}": r"\,",
    "\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}",
    **{sign: f"\\{sign}" for sign in "&%#_{}$"},
}  # fmt: skip
_ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v "}
_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_FLAT = str.maketrans(_RAISED + _LOWERED, "0123456789+-" * 2)
_PARTS = re.compile(
    rf"\$(?P<formula>[^$]+)\$|√\((?P<long>[^()]*)\)|√(?P<short>\w+)"
    rf"|(?P<raised>[{_RAISED}]+)|(?P<lowered>[{_LOWERED}]+)|(?P<other>.)",
    re.DOTALL,
)


def _in_formula(text: str) -> str:
    """Signs of a formula as commands."""
    return "".join(f"\\{_SYMBOLS[sign]} " if sign in _SYMBOLS else _SIGNS.get(sign, sign) for sign in text)


def _sign(sign: str) -> str:
    """One character outside of formulas."""
    if sign in _SYMBOLS or sign in _SIGNS:
        return f"${_in_formula(sign).strip()}$"
    if sign in _PUNCTUATION:
        return _PUNCTUATION[sign]
    plain, *marks = unicodedata.normalize("NFD", sign)
    for mark in marks:
        if mark not in _ACCENTS:
            raise ValueError(f"no LaTeX for the character {sign!r}; give it one in book/tools/latex.py")
        plain = f"{{\\{_ACCENTS[mark]}{plain}}}"
    return plain


def _part(match: re.Match[str]) -> str:
    kind, text = match.lastgroup, match[match.lastgroup]
    if kind == "other":
        return _sign(text)
    if kind in ("raised", "lowered"):
        return f"${'^' if kind == 'raised' else '_'}{{{text.translate(_FLAT)}}}$"
    inner = _in_formula(text)
    return f"${inner}$" if kind == "formula" else f"$\\sqrt{{{inner}}}$"


def latex(text: str) -> str:
    """The text for pdflatex; raises ValueError for a character that has no LaTeX here.

    >>> print(latex("Records & δ = 10⁻⁵ at 2/√m, Rényi’s order $e^{-t}$"))
    Records \\& $\\delta$ = 10$^{-5}$ at 2/$\\sqrt{m}$, R{\\'e}nyi's order $e^{-t}$
    """
    made = _PARTS.sub(_part, text)
    if strange := [sign for sign in made if not sign.isascii()]:
        raise ValueError(f"no LaTeX for the character {strange[0]!r}; give it one in book/tools/latex.py")
    return made
