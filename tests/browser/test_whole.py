"""The book as a whole: links, order of reading, search."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from book.tools.chapters import pages
from tests.browser.conftest import ROOT
from tests.browser.visit import WIDE

TERMS = {
    "permute-and-flip": "notebooks/exponential-mechanism",
    "hockey-stick": "notebooks/what-privacy-promises",
    "sparse vector": "notebooks/sparse-vectors",
}


class Links(HTMLParser):
    """Anchors of a page, and the addresses of everything that it leads to or loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.addresses, self.after, self.before = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        self.addresses += [given[key] for key in ("href", "src") if given.get(key)]
        classes = (given.get("class") or "").split()
        self.after += [given["href"]] if tag == "a" and "right-next" in classes else []
        self.before += [given["href"]] if tag == "a" and "left-prev" in classes else []


def read(folder):
    """Links of every page below a folder."""
    return {
        file.resolve(): Links(file.read_text(encoding="utf-8"))
        for file in folder.rglob("*.html")
    }


def target(file, address):
    """File that an address within the site leads to."""
    path = unquote(urlsplit(address).path)
    return (file.parent / path).resolve() if path else file


def broken(folder):
    """Links and anchors within a site that lead nowhere; the theme's templates are no pages."""
    found = read(folder)
    for file, page in found.items():
        if file.name.endswith("webpack-macros.html"):
            continue
        for address in sorted(set(page.addresses)):
            if urlsplit(address).scheme or address.startswith("//"):
                continue
            place, anchor = target(file, address), unquote(urldefrag(address).fragment)
            lost = (
                anchor
                and place in found
                and anchor not in found[place].anchors | {"top"}
            )
            if not place.exists() or lost:
                yield f"{file.relative_to(folder.resolve())}: {address}"


def test_all_internal_links_and_anchors_resolve(html):
    assert list(broken(html)) == []


def chain(folder, begin, side):
    """Names of the pages met by following one kind of link, from a page on."""
    names, file = [], (folder / f"{begin}.html").resolve()
    while file.exists() and len(names) <= 1000:
        names.append(file.relative_to(folder.resolve()).with_suffix("").as_posix())
        onward = getattr(Links(file.read_text(encoding="utf-8")), side)
        if not onward:
            break
        file = target(file, onward[0])
    return names


def test_next_and_previous_follow_the_order_of_the_contents(html):
    order = pages(ROOT)
    assert chain(html, order[0], "after") == order
    assert chain(html, order[-1], "before") == order[::-1]


def results(context, address, term):
    """Pages that the search offers a reader of the cover for a term, best first."""
    page = context.new_page()
    try:
        page.set_viewport_size(WIDE)
        page.goto(address + "book/cover.html")
        page.locator(
            "button.search-button-field:visible, button.search-button__button:visible"
        ).first.click()
        page.locator("input[name=q]:visible").fill(term)
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=*")
        said = "document.querySelector('#search-results > p')?.textContent"
        page.wait_for_function(f"/\\d|did not match/.test({said})")
        found = page.locator("#search-results li a").evaluate_all(
            "links => links.map(link => link.pathname)"
        )
        return [path.removeprefix("/").removesuffix(".html") for path in found]
    finally:
        page.close()


@pytest.mark.parametrize("term", TERMS)
def test_the_search_finds_a_term_in_the_chapter_about_it(context, book, term):
    assert TERMS[term] in results(context, book, term)


ASKED = {
    "hyperparameter tuning": "private-tuning.html",
    "user contributes several rows": "how-to.html#protect-a-person-who-has-several-rows",
    "DP-SGD noise multiplier": "concentrated-privacy.html#dp-sgd-clip-the-gradients-add-noise-count-the-steps",
    "bounded range": "composition.html#exponential-mechanisms-compose-better",
    "sample size": "how-to.html#find-the-sample-size-for-my-class",
}


@pytest.mark.parametrize("words", ASKED)
def test_what_readers_ask_for_comes_first(context, book, words):
    page = context.new_page()
    page.goto(f"{book}search.html?q={words.replace(' ', '+')}")
    first = page.locator("ul.search > li > a").first
    first.wait_for()
    assert first.get_attribute("href").endswith(f"notebooks/{ASKED[words]}")
    page.close()


def test_the_search_finds_nothing_for_a_word_that_is_not_there(context, book):
    assert results(context, book, "zzxqvy") == []


def answers(page, book, words):
    """Chapters and pages that the search offers for these words, best first, with its excerpts."""
    page.goto(f"{book}search.html?q={words}")
    page.wait_for_function(
        "document.querySelector('#search-results > p')?.textContent.includes('found')"
    )
    count = "document.querySelectorAll({!r}).length"
    texts, excerpts = (
        count.format("ul.search > li:not(:has(> span))"),
        count.format("p.context"),
    )
    page.wait_for_function(f"{texts} === {excerpts}")
    offered = page.locator("ul.search > li > a").evaluate_all(
        "links => links.map((link) => link.pathname)"
    )
    return [Path(name).stem for name in offered], page.locator(
        "p.context"
    ).all_inner_texts()


def test_a_page_whose_title_says_what_is_asked_comes_first_and_excerpts_are_of_the_text(
    context, book
):
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    asked = {
        "advanced+composition": "composition",
        "exponential+utility": "exponential-mechanism",
    }
    for words, topic in (asked | {"sparse+vector": "sparse-vectors"}).items():
        offered, excerpts = answers(page, book, words)
        assert offered[0] == topic
        assert all(excerpts)
        assert not [
            text for text in excerpts if re.search(r"\bContents\b|\bimport\b", text)
        ]
    page.close()
    assert faults == []
