"""Which words of a chapter are on its short path: `book.tools.short_path` and its line on the page."""

import types
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document

from book.extensions import path_switch as pages
from book.extensions.chapter_head import chapter_head
from book.tools import short_path, units
from book.tools.chapters import Chapter, topics

ROOT = Path(__file__).resolve().parent.parent.parent
CHAPTER = """---
kernelspec: {name: python3}
---

# A title

Two words.

```{code-cell} ipython3
no words = here
```

(a-label)=
## Core, with $x + y$ and {prf:ref}`l4-thm-one`

```{prf:theorem} One title
:label: l4-thm-one
Body of it: $$a = b$$

- and `code`.
```

```{margin}
**Erratum** Not read.
```

```python
nothing
```

## A further one *

Three more words.

### With a part

Two words.

## Core again

### Some of it *

One.

## Recap

Not counted.

## Exercises

Nor these *
"""


def test_words_are_counted_by_section():
    core = [
        "A title",
        "Two words",
        "Core with x and x",
        "One title",
        "Body of it x",
        "and x",
        "Core again",
    ]
    further = [
        "A further one",
        "Three more words",
        "With a part",
        "Two words",
        "Some of it",
        "One",
    ]
    counted = [sum(len(text.split()) for text in texts) for texts in (core, further)]
    assert short_path.length(CHAPTER) == (*counted, ())


@pytest.mark.parametrize(
    ("words", "minutes"), [(0, 5), (740, 5), (760, 10), (3240, 30), (3260, 35)]
)
def test_minutes_are_said_to_the_nearest_five(words, minutes):
    assert short_path.Length(words, 0).minutes == minutes


def test_a_star_makes_a_heading_further_and_a_product_does_not():
    assert short_path.is_further("The optimum *")
    assert not short_path.is_further("The class $H^*$")
    assert not short_path.is_further("A *word*")


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_has_a_core(topic):
    assert short_path.length(Chapter(ROOT, topic).source.read_text()).core > 0


def head_of(topic, root=ROOT):
    """The head that a chapter gets."""
    page = new_document(topic)
    page += nodes.section("", nodes.title("", "Title"))
    app = types.SimpleNamespace(srcdir=root, env=types.SimpleNamespace(titles={}))
    pages.complete(app, page, f"notebooks/{topic}")
    return page.next_node(chapter_head)


def test_the_head_has_a_switch_only_where_something_can_wait(small_book):
    found = pages.line(short_path.Length(1234, 0))
    assert found == '<p class="short-path">1,234 words, about 10 minutes</p>'
    short = pages.line(short_path.Length(1234, 99))
    assert short.startswith(
        '<p class="short-path">1,234 words, about 10 minutes · sections with a star '
    )
    assert short.endswith("can wait (99 words)</p>")
    file = small_book / "book" / "a-chapter.md"
    file.write_text(UNITS)
    assert head_of("a-chapter", small_book)["path"].count("<button") == 2
    file.write_text(UNITS.replace(" *", ""))
    assert "path" not in head_of("a-chapter", small_book).attributes


def test_the_line_says_what_a_sentence_of_the_chapter_says():
    text = nodes.section(
        "", nodes.title("", "Noise"), nodes.paragraph("", short_path.STARRED)
    )
    page = new_document("noise")
    page += [*text]
    page += nodes.paragraph("", "Another.")
    app = types.SimpleNamespace(srcdir=ROOT, env=types.SimpleNamespace(titles={}))
    pages.complete(app, page, "notebooks/noise")
    assert [p.astext() for p in page.findall(nodes.paragraph)] == ["Another."]
    assert "can wait" in page.next_node(chapter_head)["line"]


UNITS = """# Title

## Unit 1: Why?

One $x$.

## Unit 2: How?

$$y$$

## Exactly *

### Part

More.
"""


def test_the_line_of_a_chapter_of_units_and_their_headings_say_how_long_they_take(
    small_book,
):
    (small_book / "book" / "a-chapter.md").write_text(UNITS)
    found = units.length(UNITS)._replace(units=(31, 19))
    assert (found.minutes, pages.minutes(found)) == (50, "31 and 19")
    assert '"short-path">Two units, 31 and 19 minutes · ' in pages.line(found)
    assert '"short-path">One unit, 31 minutes</p>' in pages.line(
        short_path.Length(9, 0, (31,))
    )
    page, app = new_document("a"), types.SimpleNamespace(srcdir=small_book, env=None)
    for title in ("Title", "Unit 1: Why?", "Unit 2: How?", "Exactly"):
        page += nodes.section("", nodes.title("", title), nodes.paragraph("", "Text."))
    pages.complete(app, page, "notebooks/a-chapter")
    below = [section[1].astext() for section in page.findall(nodes.section)]
    assert [
        "About 0 minutes to read: 4 words, 1 formula." in text for text in below
    ] == [0, 1, 0, 0]
    assert ["3 words, 1 formula." in text for text in below] == [0, 0, 1, 0]
    many = pages.held(units.Measure(2000, 1, 60, 100, 2, 3))
    assert (
        "2,000 words, 1 definition or statement, 102 formulas, 60 lines of code, 3 figures.</p>"
        in many
    )


def test_the_line_leads_to_the_chapters_that_are_needed_where_they_are_part_of_the_book():
    titles, numbers = (
        {"notebooks/noise": nodes.title("", "Noise & more")},
        {"notebooks/noise": {"": (5,)}},
    )
    env = types.SimpleNamespace(titles=titles, toc_secnumbers=numbers)
    builder = types.SimpleNamespace(
        get_relative_uri=lambda docname, name: f"{name.partition('/')[2]}.html"
    )
    app = types.SimpleNamespace(srcdir=ROOT, env=env, builder=builder)
    link = '<a class="reference internal" href="noise.html">5. Noise &amp; more</a>'
    assert pages.before(app, "notebooks/teachers-and-votes") == f" · needs {link}"
    assert pages.before(app, "notebooks/noise") == ""
    assert f" minutes · needs {link}</p>" in pages.line(
        short_path.Length(1234, 0), f" · needs {link}"
    )
