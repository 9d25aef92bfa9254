"""Formulas are what the whole of MathJax makes of them: glyphs, sizes, MathML for assistive technology."""

import json

from book.extensions.formulas import SCRIPT, installed

PAGE = "notebooks/noise.html"
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


def formulas(browser, address, text=None):
    """All formulas of the page, or of what stands in for it, as the browser has them in the end."""
    context = browser.new_context()
    context.route("**/fit.js*", lambda route: route.abort())  # it breaks them later
    page = context.new_page()
    if text:
        context.route(f"**/{PAGE}", lambda route: route.fulfill(body=text, content_type="text/html"))
        context.route("**/mathjax/whole/**", whole)
    page.goto(f"{address}{PAGE}")
    page.wait_for_function("globalThis.MathJax?.startup?.promise")
    made = page.evaluate(MADE)
    context.close()
    return made


def test_formulas_are_those_of_the_whole_of_mathjax(browser, html, book):
    text = (html / PAGE).read_text(encoding="utf-8")
    assert text.count(f"mathjax/{SCRIPT.name}") == 1
    said = f"<script>Object.assign(window.MathJax, {json.dumps(WHOLE)})</script><script "
    other = text.replace(f"mathjax/{SCRIPT.name}", "mathjax/whole/startup.js")
    script = 'defer="defer" src="../_static/mathjax'
    other = other.replace(f"<script {script}", said + script)
    old, new = formulas(browser, book, other), formulas(browser, book)
    assert len(new) > 500
    assert new == old
