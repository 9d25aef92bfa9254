"""Faults of finished pages are seen: `book.tools.pages`. A sound page is planted with one fault at a time."""

import pytest

from book.tools import pages

SOURCE = """# A title with $\\varepsilon$

```{prf:theorem}
:label: l4-thm-0.1
Text.
```

(here)=
## Second `part`

```python
# not a heading
```
"""
PAGE = """<html><body><article>
<h1>1. A title with <span class="math">\\(\\varepsilon\\)</span><a class="headerlink" href="#top">#</a></h1>
<section id="top"></section>
<div class="proof" id="l4-thm-0.1">Text, see <a href="#here">it</a> and <a href="other.html#x">x</a>.</div>
<h2 id="here">1.1. Second <code>part</code></h2>
<a href="https://far.example/paper">a paper</a>
<div class="cell_output"><figure id="fig-one"><img alt="A line that rises" src="../_images/ab12.png">
<figcaption>A line</figcaption></figure></div>
</article></body></html>"""
OTHER = '<html><body><article><h1>Other</h1><p id="x">y</p></article></body></html>'


@pytest.fixture
def built(tmp_path):
    """A book of two pages as it looks after the build."""
    for name, text in {
        "_toc.yml": "root: book/page\nchapters: [{file: book/other}]\n",
        "book/page.md": SOURCE,
        "book/other.md": "# Other\n",
        "_build/html/book/page.html": PAGE,
        "_build/html/book/other.html": OTHER,
        "_build/html/_static/a.css": "p { color: red }",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_sound_book_has_no_fault(built):
    assert pages.faults(built) == []
    assert (
        pages.summary(built)
        == "2 pages with 1 statements and 1 figures, no outside request"
    )


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('alt="A line that rises" ', "", "has no text alternative"),
        ("A line that rises", " ", "has no text alternative"),
        ("A line that rises", "../_images/ab12.png", "has no text alternative"),
        ("A line that rises", "0123456789abcdef0123", "has no text alternative"),
        ("<figcaption>A line</figcaption>", "", "a figure has no anchor or no caption"),
        (' id="fig-one"', "", "a figure has no anchor or no caption"),
        ("figure", "div", "a picture made by a cell is no figure"),
        (
            "A title",
            "A tale",
            "the heading 'A title with $\\\\varepsilon$' is not on the page",
        ),
        ("<code>part</code>", "", "the heading 'Second `part`' is not on the page"),
        ('id="l4-thm-0.1"', "", "the label l4-thm-0.1 is not on the page"),
        ('href="#here"', 'href="#there"', "link to a missing anchor '#there'"),
        ("other.html#x", "other.html#z", "link to a missing anchor 'other.html#z'"),
        ("other.html#x", "gone.html", "link to a missing file 'gone.html'"),
        ("Text,", "See {prf:ref}`l4-thm-one`,", "raw markup in the text"),
        ("Text,", '<span class="xref std">gone</span>', "unresolved reference 'gone'"),
        ("Text,", '<div class="system-message">Oops</div>', "error in the text: Oops"),
        (
            "Text,",
            "PosixPath('/home/a')",
            "of the machine in the text: \"PosixPath('/home/a')\"",
        ),
        (
            "Text,",
            "&lt;function f at 0x7f02&gt;",
            "of the machine in the text: '<function f at 0x7f02>'",
        ),
        (
            "Text,",
            '<script src="https://far.example/x.js"></script>',
            "outside request to https://far.example",
        ),
    ],
)
def test_a_planted_fault_is_seen(built, old, new, fault):
    file = built / "_build" / "html" / "book" / "page.html"
    assert old in PAGE
    file.write_text(PAGE.replace(old, new))
    found = pages.faults(built)
    assert any(fault in sentence for sentence in found), found
    assert all(sentence.startswith("book/page: ") for sentence in found)


def test_raw_markup_inside_code_is_what_the_author_meant(built):
    file = built / "_build" / "html" / "book" / "page.html"
    file.write_text(PAGE.replace("Text,", "<code>{prf:ref}`x`</code>"))
    assert pages.faults(built) == []


def test_a_missing_page_and_a_page_too_many_are_seen(built):
    other = built / "_build" / "html" / "book" / "other.html"
    other.rename(other.with_name("stray.html"))
    found = pages.faults(built)
    assert "book/other: is in the contents, but no page was made" in found
    assert "book/stray: a page was made, but it is not in the contents" in found


def test_an_outside_request_in_a_style_sheet_is_seen(built):
    (built / "_build" / "html" / "_static" / "a.css").write_text(
        '@import "https://far.example/font.css";'
    )
    assert pages.faults(built) == [
        "_static/a.css: outside request to https://far.example/font.css"
    ]
