"""What belongs together stays on one line: a formula and its comma, the factors of a power of ten.

A browser breaks a line on either side of a formula, before a comma too. The finished HTML of a page is
mended, since formulas come from many places; code and data keep every character.
"""

import re
from typing import Any

from sphinx.application import Sphinx

# Elements that keep every character: code, data, what a reader types.
_AS_IT_IS = re.compile(
    r"(<(?P<kind>pre|script|style|textarea)\b.*?</(?P=kind)>)", re.DOTALL
)
_FORMULA = re.compile(
    r"([(\[“‘]*)"
    r'(<span class="math notranslate nohighlight">\\\((?:(?!</span>).)*</span>)'
    r"(-(?:(?=[a-z])[^\s<]*)?|[^\s<—–/-]*[—–/]?)",
    re.DOTALL,
)
_POWER = re.compile(r"(?<=\d) × (?=10(?:[⁰¹²³⁴-⁹⁻]|<sup>))")
_SOLVED = re.compile(r"(Solution to)(<a [^>]*>) ([^<]*)(?=</a>)")
_QUOTED = re.compile(r"&quot;(.*?)&quot;")
_LONG = 60  # characters of a formula that fill a good part of a phone's line: a word hung on may go below


def _held(match: re.Match) -> str:
    before, formula, after = match.groups()
    if not before and not after:
        return formula
    word = ""
    if (
        after.startswith("-")
        and len(formula) > len('<span class="math notranslate nohighlight">') + _LONG
    ):
        after, word = after[0], after[1:]
    return f'<span class="together">{before}{formula}{after}</span>{word}'


def _titled(match: re.Match) -> str:
    """The link of a solution without a space underlined, in the quotation marks of the text."""
    said, link, title = match.groups()
    return f"{said} {link}" + _QUOTED.sub(r"“\1”", title).replace("'", "’")


def held(html: str) -> str:
    """The HTML of a page whose formulas keep the punctuation at their sides."""

    def mended(text: str) -> str:
        text = _POWER.sub(
            "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}", _FORMULA.sub(_held, text)
        )
        return _SOLVED.sub(_titled, text)

    parts = _AS_IT_IS.split(html)
    parts[::3] = map(mended, parts[::3])
    del parts[2::3]  # the names of the elements that are left as they are
    return "".join(parts)


def mend(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        context["body"] = held(context["body"])


def setup(app: Sphinx) -> None:
    """Switch the extension on, after all that writes into the body."""
    app.connect("html-page-context", mend, priority=950)
