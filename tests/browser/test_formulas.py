"""Formulas are what the whole of MathJax makes of them: glyphs, sizes, MathML for assistive technology."""

import json

from book.extensions.formulas import SCRIPT, installed

PAGE = "notebooks/noise.html"
TAG = '<script defer="defer" src="{}"></script>'
# Sizes follow the letters around a formula, so MathJax comes when their fonts are there.
LATER = """<script>addEventListener("load", async () => {{
    await Promise.all([...document.fonts].map((face) => face.load()));
    document.head.append(Object.assign(document.createElement("script"), {{ src: "{}" }}));
}})</script>"""
WHOLE = {"loader": {"load": ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]}}
MADE = """async () => {
    await MathJax.startup.promise;
    await document.fonts.ready;
    const size = ({ width, height }) => [width.toFixed(2), height.toFixed(2)];
    const made = [...document.querySelectorAll("mjx-container")];
    return made.map((formula) => [formula.outerHTML, ...size(formula.getBoundingClientRect())]);
}"""


def whole(route):
    """Answer with a file of the whole of MathJax."""
    route.fulfill(path=installed() / route.request.url.partition("/whole/")[2].partition("?")[0])


def formulas(browser, address, text):
    """All formulas of what stands in for the page, as the browser has them in the end."""
    context = browser.new_context()
    context.route("**/fit.js*", lambda route: route.abort())  # it breaks them later
    context.route(f"**/{PAGE}", lambda route: route.fulfill(body=text, content_type="text/html"))
    context.route("**/mathjax/whole/**", whole)
    page = context.new_page()
    page.goto(f"{address}{PAGE}")
    page.wait_for_function("globalThis.MathJax?.startup?.promise")
    made = page.evaluate(MADE)
    context.close()
    return made


def test_formulas_are_those_of_the_whole_of_mathjax(browser, html, book):
    text = (html / PAGE).read_text(encoding="utf-8")
    ours, theirs = (f"../_static/mathjax/{name}" for name in (SCRIPT.name, "whole/startup.js"))
    assert text.count(TAG.format(ours)) == 1
    said = f"<script>Object.assign(window.MathJax, {json.dumps(WHOLE)})</script>"
    old = formulas(browser, book, text.replace(TAG.format(ours), said + LATER.format(theirs)))
    new = formulas(browser, book, text.replace(TAG.format(ours), LATER.format(ours)))
    assert len(new) > 500
    assert new == old
