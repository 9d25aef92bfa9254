"""Making the finished pages light: what no reader loads goes, and icons and pictures keep only what is seen.

The theme and MathJax bring files for every case (other output formats, languages of speech, maps for those
who mend the scripts); the pages use few of them.  Everything here may be repeated: a second run changes
nothing.
"""

import io
import re
from pathlib import Path

from PIL import Image

from book.tools.chapters import write_whole

# Below _static/mathjax: tex-chtml.js and what it loads by itself, from its fonts to the speech of its menu.
_MATHJAX = ("a11y/*", "input/tex/extensions/*", "output/chtml/fonts/*/*", "sre/mathmaps/base.json", "ui/*")
_MATHJAX_KEPT = {"tex-chtml.js", "sre/mathmaps/en.json"}
_SEARCH = re.compile(
    r'\s*<script src="(?:\.\./)*(?:_static/searchtools|_static/language_data|searchindex)\.js[^"]*"></script>'
)
_ICON = re.compile(
    r'(?:"(?P<quoted>[a-z0-9-]+)"|\b(?P<plain>[a-z0-9]+))'  # name: [width, height, [aliases], code, paths],
    r':\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
)
_USED = re.compile(r"\bfa-([a-z0-9-]+)")
_TRUETYPE = re.compile(r",\s*url\([^)]*\.ttf[^)]*\)\s*format\([^)]*\)")
COLOURS = 256


def _unused(html: Path) -> list[Path]:
    """Files that no page loads."""
    static = html / "_static"
    mathjax = static / "mathjax"
    kept = {path for pattern in _MATHJAX for path in mathjax.glob(pattern)}
    kept |= {mathjax / name for name in _MATHJAX_KEPT}
    others = [path for path in mathjax.rglob("*") if path.is_file() and path not in kept]
    fonts, words = static.glob("vendor/fontawesome/**/*.ttf"), (static / "locales").rglob("*.mo")
    return [*others, *static.rglob("*.map"), *fonts, *words, *(static / "locales").rglob("*.po")]


def _without_search(html: Path) -> None:
    """Leave the index of the search to the page that searches; the box on every page only leads there."""
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if page.name != "search.html" and (lighter := _SEARCH.sub("", text)) != text:
            write_whole(page, lighter)


def _with_icons_in_use(html: Path) -> None:
    """Leave out the drawings of icons that no page and no other script names."""
    script = html / "_static" / "scripts" / "fontawesome.js"
    if not script.exists():
        return
    others = [path for path in (*html.rglob("*.html"), *html.glob("_static/**/*.js")) if path != script]
    used = {name for path in others for name in _USED.findall(path.read_text(encoding="utf-8"))}
    text = script.read_text(encoding="utf-8")

    def kept(icon: re.Match) -> str:
        names = {icon["quoted"] or icon["plain"], *re.findall(r'"([^"]+)"', icon["aliases"])}
        return icon[0] if names & used else ""

    lighter = _ICON.sub(kept, text)
    if lighter != text:
        write_whole(script, lighter)


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


def lighten(html: Path) -> None:
    """Take away from a finished site what no reader loads."""
    for path in _unused(html):
        path.unlink()
    for sheet in (html / "_static").rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if (lighter := _TRUETYPE.sub("", text)) != text:
            write_whole(sheet, lighter)
    _without_search(html)
    _with_icons_in_use(html)
    for picture in sorted((html / "_images").glob("*.png")):
        _with_few_colours(picture)
