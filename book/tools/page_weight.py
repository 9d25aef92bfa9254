"""Making the finished pages light: of what the theme brings, what no reader loads goes.

Each of five things saves more than a tenth of a page or of the site: the script of all icons (1.5 MB; icons
stand in the pages as drawings), the index of the search (0.8 MB, on the page that searches alone), rules of
styles that nothing has (0.4 MB), the icons of a font that no style names (0.4 MB), and marks on code that
have the colour of the text (8 MB of the site, whose pages show the sources). Classes of formulas and margins
of scripts are 40 kB of a page. Sphinx writes its files anew in each build: a second run changes nothing.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools import subset

from book.tools.chapters import write_whole

_SEARCH = re.compile(
    r'\s*<script src="(?:\.\./)*(?:_static/searchtools|_static/language_data|searchindex)\.js[^"]*"></script>'
)
_UNUSED_SCRIPT = re.compile(
    r'\s*<script\b[^>]* src="[^"]*/(?:fontawesome|design-tabs)\.js[^"]*"></script>'
)
_ICON = re.compile(r'<i class="([^"]*\bfa-solid fa-([a-z0-9-]+)[^"]*)"([^>]*)></i>')
_DRAWING = re.compile(
    r'(?:"(?P<quoted>[a-z0-9-]+)"|\b(?P<plain>[a-z0-9]+))'  # name: [width, height, [aliases], code, path]
    r':\[(?P<width>\d+),(?P<height>\d+),\[(?P<aliases>[^\]]*)\],"[0-9a-f]+","(?P<path>[^"]*)"\]'
)
# Spans of code that have the colour of the text around them, and of operators, which need none.
_PLAIN = re.compile(
    r'<span class="(?:bp|n|nb|ne|nn|nx|o|p|pm|w)">([^<]*)</span>|<span></span>'
)
# What a style names, and what pages and scripts can have of it.
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{[^{}]*\}")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_GIVEN = re.compile(r'\bclass="([^"]*)"|<script\b[^>]*>(.*?)</script>', re.DOTALL)
_MARGIN = re.compile(r"^[ \t]*(?://.*\n)?", re.MULTILINE)  # of a script
_WOFF = re.compile(r'url\([^)]*\.woff2\)\s*format\("woff2"\),\s*(?=url\([^)]*\.ttf\))')
_SYMBOL = re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")
# Maps for those who mend scripts, words of other languages, and what something smaller stands for.
_UNUSED = (
    "**/*.map",
    "locales/**/*.[mp]o",
    "scripts/fontawesome.js*",
    "design-tabs.js",
    "vendor/**/*.woff2",
)


def _drawings(script: Path) -> dict[str, str]:
    """Icons by name: what stands within their element. Of several kinds the solid one is the last."""
    found = {}
    for icon in _DRAWING.finditer(script.read_text(encoding="utf-8")):
        path = f'<path fill="currentColor" d="{icon["path"]}"/>'
        for name in (
            icon["quoted"] or icon["plain"],
            *re.findall(r'"([^"]+)"', icon["aliases"]),
        ):
            found[name] = f'viewBox="0 0 {icon["width"]} {icon["height"]}">{path}'
    return found


def _page(text: str, name: str, drawings: dict[str, str]) -> str:
    """A page without what it does not need."""

    def drawn(icon: re.Match) -> str:
        classes = " ".join(
            [
                "svg-inline--fa",
                *(name for name in icon[1].split() if name != "fa-solid"),
            ]
        )
        return f'<svg class="{classes}"{icon[3]} aria-hidden="true" {drawings[icon[2]]}</svg>'

    text = _PLAIN.sub(r"\1", text if name == "search.html" else _SEARCH.sub("", text))
    text = text.replace(
        'class="math notranslate nohighlight"', 'class="math"'
    )  # MathJax puts them back
    return _UNUSED_SCRIPT.sub("", _ICON.sub(drawn, text)) if drawings else text


def _used(html: Path) -> set[str]:
    """Words that pages have as classes, or that a script may give them."""
    given = [
        found
        for page in html.rglob("*.html")
        for found in _GIVEN.findall(page.read_text("utf-8"))
    ]
    scripts = [
        one.read_text("utf-8")
        for one in html.glob("_static/**/*.js")
        if "mathjax" not in one.parts
    ]
    return set(
        re.findall(r"[\w-]+", " ".join([*(" ".join(pair) for pair in given), *scripts]))
    )


def _sheet(text: str, used: set[str]) -> str:
    """A style sheet without the rules of classes that nothing has; what stands in brackets is not judged."""

    def kept(rule: re.Match) -> str:
        selectors = rule[1]
        while selectors != (selectors := _IN_BRACKETS.sub("", selectors)):
            pass
        if "@" in selectors or any(
            used.issuperset(_CLASS.findall(one)) for one in selectors.split(",")
        ):
            return rule[0]
        return ""

    licences = [
        comment for comment in _COMMENT.findall(text) if comment.startswith("/*!")
    ]
    return "".join(licences) + _WOFF.sub("", _RULE.sub(kept, _COMMENT.sub("", text)))


def keep(font: Path, goal: Path, wanted: Iterable[int], **options: Any) -> None:
    """Write a font with these characters only."""
    told = subset.Options(notdef_outline=True, **options)
    found, kept = subset.load_font(str(font), told), subset.Subsetter(told)
    kept.populate(unicodes=wanted)
    kept.subset(found)
    subset.save_font(found, str(goal), told)


def _rewrite(file: Path, text: str) -> None:
    if text != file.read_text(encoding="utf-8"):
        write_whole(file, text)


def remove_unused_files(html: Path) -> None:
    """Take away from a finished site what no reader loads."""
    static = html / "_static"
    script = static / "scripts" / "fontawesome.js"
    drawings = _drawings(script) if script.exists() else {}
    for page in html.rglob("*.html"):
        _rewrite(page, _page(page.read_text(encoding="utf-8"), page.name, drawings))
    for path in {path for pattern in _UNUSED for path in static.glob(pattern)}:
        path.unlink()
    for path in [*static.glob("*.js"), *static.glob("live/live.js")]:
        _rewrite(path, _MARGIN.sub("", path.read_text(encoding="utf-8")))
    used = _used(html)
    sheets = list(static.rglob("*.css"))
    for sheet in sheets:
        _rewrite(sheet, _sheet(sheet.read_text(encoding="utf-8"), used))
    named = [
        match
        for sheet in sheets
        for match in _SYMBOL.findall(sheet.read_text(encoding="utf-8"))
    ]
    icons = {int(code, 16) if code else ord(letter) for code, letter in named}
    for font in static.rglob("*.ttf"):
        keep(font, font, icons)
