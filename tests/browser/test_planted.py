"""Each check can fail: one fault at a time is planted in a sound page, and is seen."""

import base64

import pytest

from tests.browser import serving
from tests.browser.test_whole import broken, chain
from tests.browser.visit import Visit

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="dot.png">
<style>
html { background: #fff; color: #111; }
html[data-theme="dark"] { background: #111; color: #eee; }
html[data-theme="dark"] a { color: #9cf; }
</style>
<script>
const prefers = matchMedia("(prefers-color-scheme: dark)");
const show = () => { document.documentElement.dataset.theme = prefers.matches ? "dark" : "light"; };
prefers.addEventListener("change", show);
show();
</script></head>
<body><main><article><h1>A page</h1>
<p id="here">Text with a <a href="#here">link</a>, <code>\\(code\\)</code> and a formula
<span class="math"><mjx-container><mjx-math aria-hidden="true">x</mjx-math></mjx-container></span>.</p>
<figure id="one"><img src="dot.png" width="40" height="40" alt="A dot"><figcaption>A dot</figcaption></figure>
<details><summary>More</summary><p>More text.</p></details>
</article></main></body></html>
"""
BOX = (
    '<pre tabindex="-1" style="width: 200px; overflow-x: auto">'
    + "wide " * 30
    + "</pre>"
)
DEEP = (
    '<div tabindex="-1" style="height: 20px; overflow-y: auto">'
    + "<p>deep</p>" * 9
    + "</div>"
)
INNER = '<span style="display: inline-block; width: 90px; overflow: auto; white-space: nowrap">'
INNER += "wide " * 30 + "</span>"
DOTS = '<button style="width: 9px; height: 9px; padding: 0">.</button>' * 2
SMALL = f'<div style="display: flex"><p>A <b>text</b></p>{DOTS}</div>'
PICTURE = '<img src="dot.png" width="40" height="40" alt="A dot">'
FORMULA = '<mjx-container><mjx-math aria-hidden="true">x</mjx-math></mjx-container>'
CUT = '<mjx-container display="true" style="display: block; overflow: auto; width: 0"'
LINE = '<span style="white-space: nowrap">' + "wide " * 30 + "</span>"
WORDS = '<span class="a">import</span> <span class="b" style="color: #999">this</span>'
PLANTED = {
    "console": (
        "</article>",
        '<script>console.error("oops")</script></article>',
        "console: oops",
    ),
    "script": (
        "</article>",
        '<script>throw new Error("oops")</script></article>',
        "error of a script: oops",
    ),
    "missing": ('src="dot.png"', 'src="gone.png"', "failed request: "),
    "outside": (
        'src="dot.png"',
        'src="http://192.0.2.1/dot.png"',
        "outside: http://192.0.2.1/dot.png",
    ),
    "outside, script": (
        "show();",
        'show(); fetch("https://far.example/x").catch(() => 0);',
        "outside: https://far",
    ),
    "untypeset": (FORMULA, "x", "formula that is not typeset"),
    "error in a formula": (
        "<mjx-math",
        "<mjx-merror>no</mjx-merror><mjx-math",
        "formula with an error",
    ),
    "raw formula": ("Text with", "Text \\(x\\) with", "raw formula in the text"),
    "raw display": ("Text with", "Text $$x$$ with", "raw formula in the text"),
    "raw, folded": ("More text.", "More \\[x\\] text.", "raw formula in the text"),
    "no alternative": ('alt="A dot"', 'alt=" "', "picture without alternative text"),
    "no picture": (PICTURE, "", "figure without a picture"),
    "broken picture": (
        'src="dot.png"',
        'src="data:image/png;base64,AAAA"',
        "picture that is not visible",
    ),
    "hidden picture": (
        "<img",
        '<img style="display: none"',
        "picture that is not visible",
    ),
    "squeezed code": (
        "More text.",
        '<span class="code-row" style="display: block; line-height: 16px; height: 400px">x</span>',
        "line of code in a narrow column",
    ),
    "stretched picture": ('height="40"', 'height="80"', "picture out of shape"),
    "flat picture": ('height="40"', 'height="0"', "picture that is not visible"),
    "sideways": ("Text with", LINE, "scrolls sideways at 360 px"),
    "sideways, folded": ("More text.", "w" * 300, "scrolls sideways at 360 px"),
    "cut display": ("<mjx-container", CUT, "display that is cut"),
    "long formula": (">x<", f">{'x' * 200}<", "formula past the edge of its block"),
    "full stop below": (
        '"math"',
        '"math" style="display: inline-block; width: 100%"',
        "line that begins with .",
    ),
    "pale, light": ("color: #111;", "color: #999;", "axe, light: color-contrast"),
    "pale, dark": ("color: #eee;", "color: #333;", "axe, dark: color-contrast"),
    "pale, folded": (
        "<p>More",
        '<p style="color: #888">More',
        "axe, light: color-contrast",
    ),
    "pale ground": (
        "<p>More",
        '<p style="background: #666">More',
        "axe, light: color-contrast",
    ),
    "pale word of code": ("\\(code\\)", WORDS, "axe, light: color-contrast"),
    "no name": ("More</summary>", "</summary>", "axe, wide: summary-name"),
    "no language": (' lang="en"', "", "axe, wide: html-has-lang"),
    "not to be reached": (
        "</article>",
        f"{BOX}</article>",
        "axe, narrow: scrollable-region-focusable",
    ),
    "not to be reached, upwards": (
        "</main>",
        f"{DEEP}</main>",
        "axe, narrow: scrollable-region-focusable",
    ),
    "not to be reached, in a text": (
        "Text with",
        f"{INNER} Text",
        "axe, wide: scrollable-region-focusable",
    ),
    "small targets": ("</article>", f"{SMALL}</article>", "axe, narrow: target-size"),
    "small targets, wide": (
        "</article>",
        f"{SMALL}</article>",
        "axe, wide: target-size",
    ),
    "one mode": (
        "prefers.addEventListener",
        "(() => {})",
        "light although the reader asks for dark",
    ),
}


@pytest.fixture
def planted(tmp_path):
    """Writes a page of a small site and gives the folder."""
    (tmp_path / "dot.png").write_bytes(DOT)

    def plant(text):
        (tmp_path / "page.html").write_text(text)
        return tmp_path

    return plant


def found(tab, folder):
    """Faults of the one page of a folder."""
    with serving.served(folder) as address:
        return Visit(tab, address, "page.html").faults


def test_a_sound_page_has_no_fault(tab, planted):
    assert found(tab, planted(PAGE)) == []


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_seen(tab, planted, fault):
    old, new, sentence = PLANTED[fault]
    assert PAGE.count(old) >= 1
    seen = found(tab, planted(PAGE.replace(old, new)))
    assert any(sentence in text for text in seen), seen


@pytest.mark.parametrize(
    "address", ["#gone", "gone.html", "other.html#gone", "other.html"]
)
def test_a_link_to_nowhere_is_seen(planted, address):
    folder = planted(PAGE.replace("#here", address))
    (folder / "other.html").write_text('<p id="there">Text</p>')
    assert list(broken(folder)) == (
        [] if address == "other.html" else [f"page.html: {address}"]
    )


def test_pages_in_another_order_are_seen(tmp_path):
    links = {"one": "three", "three": "two", "two": None}
    for name, onward in links.items():
        link = f'<a class="right-next" href="{onward}.html">on</a>' if onward else ""
        (tmp_path / f"{name}.html").write_text(link)
    assert chain(tmp_path, "one", "after") == ["one", "three", "two"]
    assert chain(tmp_path, "one", "before") == ["one"]
