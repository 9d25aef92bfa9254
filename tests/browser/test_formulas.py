"""Formulas are what the whole of MathJax makes of them: glyphs, sizes, MathML for assistive technology."""

import json
import re

from book.extensions.formulas import SCRIPT, installed

PAGE, SHORT = "notebooks/noise.html", "notebooks/without-privacy.html"
NARROW, SETTLES = {"width": 360, "height": 740}, 500
TEXT_FACES = re.compile(r"/source-[\w-]+\.woff2")
TAG = '<script defer="defer" src="{}"></script>'
# The whole of MathJax measures letters once, so that it comes when their fonts are there.
LATER = """<script>addEventListener("load", async () => {{
    await Promise.all([...document.fonts].map((face) => face.load()));
    document.head.append(Object.assign(document.createElement("script"), {{ src: "{}" }}));
}})</script>"""
WHOLE = {
    "loader": {"load": ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]}
}
# It measures in whole pixels, and beside bold letters those that are not bold: sizes differ by a hundredth.
MEASURED = 0.015
# Small letters of MathJax's fonts are 0.442 em high: those of a formula are to be as high as those around it.
MADE = """async () => {
    await MathJax.startup.promise;
    await document.fonts.ready;
    const made = [...document.querySelectorAll("mjx-container")];
    const sizes = made.map((formula) => parseFloat(getComputedStyle(formula).fontSize));
    for (const formula of made) formula.style.fontSize = "calc(1ex / 0.442)";
    const right = made.map((formula) => parseFloat(getComputedStyle(formula).fontSize));
    const boxes = made.map((formula) => formula.getBoundingClientRect());
    for (const formula of made) formula.style.fontSize = "";
    return made.map((formula, n) => ({
        html: formula.outerHTML.replace(' style=""', ""), size: sizes[n] / right[n],
        box: [boxes[n].width.toFixed(2), boxes[n].height.toFixed(2)],
    }));
}"""
SHOWN = """() => {
    const boxes = [...document.querySelectorAll("mjx-container")].map((made) => made.getBoundingClientRect());
    return boxes.map(({ width, height }) => [width.toFixed(2), height.toFixed(2)]);
}"""


def whole(route):
    """Answer with a file of the whole of MathJax."""
    route.fulfill(
        path=installed() / route.request.url.partition("/whole/")[2].partition("?")[0]
    )


def formulas(browser, address, text):
    """All formulas of what stands in for the page, as the browser has them in the end."""
    context = browser.new_context()
    context.route("**/fit.js*", lambda route: route.abort())  # it breaks them later
    context.route(
        f"**/{PAGE}", lambda route: route.fulfill(body=text, content_type="text/html")
    )
    context.route("**/mathjax/whole/**", whole)
    page = context.new_page()
    page.goto(f"{address}{PAGE}")
    page.wait_for_function("globalThis.MathJax?.startup?.promise")
    made = page.evaluate(MADE)
    context.close()
    return made


def test_formulas_are_those_of_the_whole_of_mathjax(browser, html, book):
    text = (html / PAGE).read_text(encoding="utf-8")
    ours, theirs = (
        f"../_static/mathjax/{name}" for name in (SCRIPT.name, "whole/startup.js")
    )
    # A page that is made again has a version behind the name of the script.
    [tag] = re.findall(TAG.format(re.escape(ours) + r"(?:\?v=\w+)?"), text)
    said = f"<script>Object.assign(window.MathJax, {json.dumps(WHOLE)})</script>"
    old = formulas(browser, book, text.replace(tag, said + LATER.format(theirs)))
    new = formulas(browser, book, text)
    assert len(new) > 500
    assert {one["size"] for one in new} == {1}
    assert [one["size"] for one in old if abs(one["size"] - 1) > MEASURED] == []
    assert [(one["html"], one["box"]) for one in new] == [
        (one["html"], one["box"]) for one in old
    ]


def boxes(browser, address, *, late):
    """Boxes of all formulas as they are set and in the end, where faces of the text come before or after."""
    context, held = browser.new_context(viewport=NARROW), []
    context.route(
        TEXT_FACES, lambda route: held.append(route) if late else route.continue_()
    )
    page = context.new_page()
    page.goto(f"{address}{SHORT}", wait_until="commit" if late else "load")
    page.wait_for_function("globalThis.MathJax?.startup?.promise.then(() => true)")
    begun = page.evaluate(SHOWN)
    for route in held:
        route.continue_()
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(SETTLES)
    made = page.evaluate(SHOWN)
    context.close()
    return begun, made


def test_sizes_of_formulas_follow_faces_that_come_late(browser, book):
    (_, soon), (begun, late) = (
        boxes(browser, book, late=late) for late in (False, True)
    )
    assert len(soon) > 200
    assert begun != soon  # other letters stood around them
    assert late == soon
