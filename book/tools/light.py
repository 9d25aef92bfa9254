"""Making the finished pages light: what no reader loads goes, and what is loaded keeps only what is seen.

The theme brings styles, icons and fonts for every case; the pages use few of them.  Sphinx writes its files
anew in each build, so a site that is built again ends as the same bytes, and a second run changes nothing.
"""

import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fontTools import subset
from PIL import Image, UnidentifiedImageError

from book.tools.chapters import write_whole
from book.tools.vectors import lighter

# The index of the search belongs to the page that searches; the box on every page only leads there.
_SEARCH = re.compile(
    r'\s*<script src="(?:\.\./)*(?:_static/searchtools|_static/language_data|searchindex)\.js[^"]*"></script>'
)
# Icons stand in the pages as drawings, so that the script that would put them there is not loaded.
_ICON_SCRIPT = re.compile(r'\s*<script defer src="[^"]*/fontawesome\.js[^"]*"></script>')
_ICON = re.compile(r'<i class="([^"]*\bfa-solid fa-([a-z0-9-]+)[^"]*)"([^>]*)></i>')
_DRAWING = re.compile(
    r'(?:"(?P<quoted>[a-z0-9-]+)"|\b(?P<plain>[a-z0-9]+))'  # name: [width, height, [aliases], code, path]
    r':\[(?P<width>\d+),(?P<height>\d+),\[(?P<aliases>[^\]]*)\],"[0-9a-f]+","(?P<path>[^"]*)"\]'
)
# Spans of code that have the colour of the text around them, and of operators, which need none.
_PLAIN = re.compile(r'<span class="(?:n|nn|nx|o|p|pm|w)">([^<]*)</span>|<span></span>')
# The letter before a string and the braces in it have the colour of strings; a run of one colour is one span.
_STRING = re.compile(r'<span class="(?:sa|si|se)">')
_RUN = re.compile(r'<span class="([a-z][a-z0-9]?)">([^<]*)</span>(?:<span class="\1">[^<]*</span>)+')
_SHORT = re.compile(r'<span class="([a-z][a-z0-9]?)">')  # of one word, which needs no quotes
_MARK = re.compile(r"<[^>]*>")
# The theme's library of widgets, 81 kB, of which pages use the names of icons: a style shows them.
_WIDGETS = re.compile(
    r'\s*<(?:script defer src|link rel="preload" as="script" href)="[^"]*/bootstrap\.js[^>]*>(?:</script>)?'
)
_NAMED = re.compile(r'<button [^>]*data-bs-toggle="tooltip"[^>]*>')
_TITLE = re.compile(r' (?:data-bs-)?title="([^"]*)"')
_FORMULA = ' class="math notranslate nohighlight"'  # the script of formulas adds the other two
_ARTICLE, _LINK = "<article", '<a class="reference internal" '  # in a text no style asks for these two words
_AS_IT_IS = re.compile(r"(<(?P<kind>pre|script|style|textarea)\b.*?</(?P=kind)>)", re.DOTALL)
_INDENT = re.compile(r"\s*\n\s*")
# The contents of a page once more, for paper only; the book on paper has its own.
_FOR_PAPER = re.compile(r'<div id="jb-print-toc">.*?</nav>\s*</div>', re.DOTALL)
_OF_TABS = re.compile(r"\s*<script [^>]*/design-tabs\.js[^>]*></script>")
# What a style names, and what pages and scripts can have of it.
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{[^{}]*\}")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_GIVEN = re.compile(r'\bclass="([^"]*)"|<script\b[^>]*>(.*?)</script>', re.DOTALL)
_WORD = re.compile(r"[\w-]+")
_WOFF = re.compile(r'url\([^)]*\.woff2\)\s*format\("woff2"\),\s*(?=url\([^)]*\.ttf\))')
_SYMBOL = re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")
# A picture that Sphinx copied, which comes without its size and whether it is seen or not.
_PICTURE = re.compile(r'<img (?![^>]*(?:loading|width)=)([^>]*src="(?:\.\./)*_images/([^"]+)"[^>]*?) ?/?>')
# Maps for those who mend scripts, words of other languages, and what something smaller stands for.
_UNUSED = ("**/*.map", "locales/**/*.[mp]o", "scripts/fontawesome.js*", "vendor/**/*.woff2")
_UNUSED += ("scripts/bootstrap.js*",)
COLOURS = 256


def _drawings(script: Path) -> dict[str, str]:
    """Icons by name: what stands within their element. Of several kinds the solid one is the last."""
    found = {}
    for icon in _DRAWING.finditer(script.read_text(encoding="utf-8")):
        path = f'<path fill="currentColor" d="{icon["path"]}"/>'
        for name in (icon["quoted"] or icon["plain"], *re.findall(r'"([^"]+)"', icon["aliases"])):
            found[name] = f'viewBox="0 0 {icon["width"]} {icon["height"]}">{path}'
    return found


def _with_name(button: re.Match) -> str:
    """A button whose name is for assistive technology and for the style that shows it."""
    text = re.sub(r' data-bs-(?:placement|toggle)="[^"]*"', "", button[0])
    called = "" if "aria-label=" in text else r' aria-label="\1"'
    return _TITLE.sub(rf'{called} data-name="\1"', text)


def in_text(page: str, mend: Callable[[str], str]) -> str:
    """A page mended everywhere but in elements that keep every character: code, data, what a reader types."""
    parts = _AS_IT_IS.split(page)
    parts[::3] = map(mend, parts[::3])
    del parts[2::3]  # the names of the elements that are left as they are
    return "".join(parts)


def _when_seen(html: Path, text: str) -> str:
    """The page with pictures that are loaded when they are about to be seen, in a place of their size."""

    def sized(picture: re.Match) -> str:
        try:
            with Image.open(html / "_images" / picture[2]) as image:
                size = f' width="{image.width}" height="{image.height}"'
        except UnidentifiedImageError:  # a vector picture, which says its size itself
            size = ""
        return f'<img {picture[1]}{size} loading="lazy">'

    return _PICTURE.sub(sized, text)


def _page(text: str, name: str, drawings: dict[str, str]) -> str:
    """A page without what it does not need."""

    def drawn(icon: re.Match) -> str:
        classes = " ".join(["svg-inline--fa", *(name for name in icon[1].split() if name != "fa-solid")])
        return f'<svg class="{classes}"{icon[3]} aria-hidden="true" {drawings[icon[2]]}</svg>'

    def joined(run: re.Match) -> str:
        return f'<span class="{run[1]}">{_MARK.sub("", run[0])}</span>'

    text = _PLAIN.sub(r"\1", text if name == "search.html" else _SEARCH.sub("", text))
    text = _SHORT.sub(r"<span class=\1>", _RUN.sub(joined, _STRING.sub('<span class="s2">', text)))
    text = _NAMED.sub(_with_name, _WIDGETS.sub("", text)).replace(_FORMULA, " class=math")
    around, begin, article = _FOR_PAPER.sub("", text).partition(_ARTICLE)
    text = around + begin + article.replace(_LINK, "<a ")
    text = in_text(text if "sd-tab-" in text else _OF_TABS.sub("", text), partial(_INDENT.sub, "\n"))
    return _ICON_SCRIPT.sub("", _ICON.sub(drawn, text)) if drawings else text


def _used(html: Path) -> set[str]:
    """Words that pages have as classes, or that a script may give them."""
    given = [found for page in html.rglob("*.html") for found in _GIVEN.findall(page.read_text("utf-8"))]
    scripts = [
        path.read_text("utf-8") for path in html.glob("_static/**/*.js") if "mathjax" not in path.parts
    ]
    return {word for text in [*(" ".join(pair) for pair in given), *scripts] for word in _WORD.findall(text)}


def _sheet(text: str, used: set[str]) -> str:
    """A style sheet without the rules of classes that nothing has; what stands in brackets is not judged."""

    def kept(rule: re.Match) -> str:
        selectors = rule[1]
        while selectors != (selectors := _IN_BRACKETS.sub("", selectors)):
            pass
        if "@" in selectors or any(used.issuperset(_CLASS.findall(one)) for one in selectors.split(",")):
            return rule[0]
        return ""

    licences = [comment for comment in _COMMENT.findall(text) if comment.startswith("/*!")]
    return "".join(licences) + _WOFF.sub("", _RULE.sub(kept, _COMMENT.sub("", text)))


def _font(file: Path, sheets: list[str]) -> None:
    """Leave in a font of icons those that a style names."""
    options = subset.Options(notdef_outline=True)
    font, wanted = subset.load_font(str(file), options), subset.Subsetter(options)
    found = [match for sheet in sheets for match in _SYMBOL.findall(sheet)]
    wanted.populate(unicodes={int(code, 16) if code else ord(letter) for code, letter in found})
    wanted.subset(font)
    subset.save_font(font, str(file), options)


def _with_few_colours(picture: Path) -> None:
    """Write a picture with a palette, as drawings need no more colours."""
    with Image.open(picture) as image:
        if image.mode == "P":
            return
        fewer = image.convert("RGBA").quantize(
            COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    made = io.BytesIO()
    fewer.save(made, "PNG", optimize=True)
    if made.tell() < picture.stat().st_size:
        picture.write_bytes(made.getvalue())


def _rewrite(file: Path, text: str) -> None:
    if text != file.read_text(encoding="utf-8"):
        write_whole(file, text)


def lighten(html: Path) -> None:
    """Take away from a finished site what no reader loads."""
    static = html / "_static"
    icons = static / "scripts" / "fontawesome.js"
    drawings = _drawings(icons) if icons.exists() else {}
    for page in html.rglob("*.html"):
        _rewrite(page, _when_seen(html, _page(page.read_text(encoding="utf-8"), page.name, drawings)))
    for pattern in _UNUSED:
        for path in static.glob(pattern):
            path.unlink()
    used = _used(html)
    sheets = list(static.rglob("*.css"))
    for sheet in sheets:
        _rewrite(sheet, _sheet(sheet.read_text(encoding="utf-8"), used))
    for font in static.rglob("*.ttf"):
        _font(font, [sheet.read_text(encoding="utf-8") for sheet in sheets])
    for picture in (html / "figures").glob("*.svg"):
        _rewrite(picture, lighter(picture.read_text(encoding="utf-8")))
    for picture in sorted((html / "_images").glob("*.png")):
        _with_few_colours(picture)
