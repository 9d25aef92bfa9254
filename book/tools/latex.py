"""Text as LaTeX that pdflatex reads: plain ASCII, symbols and roots as formulas, accents as commands.

latexcodec, which reads the bibliography, knows the characters; here stand formulas, roots, raised and lowered
digits, and the few characters that it leaves alone.
"""

import codecs
import re

import latexcodec  # noqa: F401 (it registers the codec)

_OWN = {
    "ε": r"$\varepsilon$",
    "½": r"$\frac12$",
    "§": r"\S{}",
    "…": r"\ldots{}",
    "<": "$<$",
    ">": "$>$",
}
_OWN |= {"|": "$|$", "\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
_OWN |= {"{": r"\{", "}": r"\}", "$": r"\$"}
_OWN |= {"\N{NARROW NO-BREAK SPACE}": "~", "\N{THIN SPACE}": r"\,"}
_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_FLAT = str.maketrans(_RAISED + _LOWERED, "0123456789+-" * 2)
_OWN_SIGNS = "".join(map(re.escape, _OWN))
_PARTS = re.compile(
    rf"\$(?P<formula>[^$]+)\$|√\((?P<long>[^()]*)\)|√(?P<short>\w+)|(?P<raised>[{_RAISED}]+)"
    rf"|(?P<lowered>[{_LOWERED}]+)|(?P<own>[{_OWN_SIGNS}])|(?P<other>[^$√{_RAISED}{_LOWERED}{_OWN_SIGNS}]+|.)"
)


def _coded(text: str) -> str:
    return str(codecs.encode(text, "ulatex"))


def _in_formula(text: str) -> str:
    """Signs of a formula as commands."""
    said = [
        sign if sign.isascii() else (_OWN.get(sign) or _coded(sign)).strip("$")
        for sign in text
    ]
    return "".join(
        f"{sign} " if sign.startswith("\\") and len(sign) > 1 else sign for sign in said
    )


def _part(match: re.Match[str]) -> str:
    kind, text = match.lastgroup, match[match.lastgroup]
    if kind in ("other", "own"):
        return _coded(text) if kind == "other" else _OWN[text]
    if kind in ("raised", "lowered"):
        return f"${'^' if kind == 'raised' else '_'}{{{text.translate(_FLAT)}}}$"
    inner = _in_formula(text)
    return f"${inner}$" if kind == "formula" else f"$\\sqrt{{{inner}}}$"


def latex(text: str) -> str:
    """The text for pdflatex; raises ValueError (of the codec) for a character that has no LaTeX here.

    >>> print(latex("Records & δ = 10⁻⁵ at 2/√m, Rényi’s order $e^{-t}$"))
    Records \\& $\\delta$ = 10$^{-5}$ at 2/$\\sqrt{m}$, R\\'enyi's order $e^{-t}$
    """
    return _PARTS.sub(_part, text)
