"""The structure of MyST texts: `book.tools.myst`."""

from book.tools.myst import Code, Directive, Text, blocks, walk, without_header

TEXT = """\
Before.

```{margin}
Inside.
```
````{prf:theorem} A title
---
label: thm-one
class: a b
---
Body

```python
code
```
````
After.
- item

  ```{note}
  Indented.
  ```
~~~
plain
~~~
:::{tip}
Colons.
:::"""


def test_a_text_is_read_into_blocks_with_their_lines():
    found = list(blocks(TEXT.splitlines()))
    kinds = [type(block).__name__ for block in found]
    assert kinds == [
        "Text",
        "Directive",
        "Directive",
        "Text",
        "Directive",
        "Code",
        "Directive",
    ]
    margin, theorem, note = (found[n] for n in (1, 2, 4))
    assert (margin.name, margin.lines, margin.line, margin.opened) == (
        "margin",
        ["Inside."],
        4,
        3,
    )
    assert (theorem.argument, theorem.label, theorem.classes) == (
        "A title",
        "thm-one",
        ["a", "b"],
    )
    assert theorem.line == 11
    assert (note.lines, note.indent) == (["Indented."], "  ")
    assert found[5] == Code(["plain"], 24, "")
    assert found[6].lines == ["Colons."]


def test_every_line_of_text_keeps_its_number():
    lines = TEXT.splitlines()
    for block in walk(lines):
        if isinstance(block, Text):
            there = lines[block.line - 1 : block.line - 1 + len(block.lines)]
            assert [line.lstrip() for line in there] == [
                line.lstrip() for line in block.lines
            ]


def test_bodies_are_walked_but_for_verbatim_ones():
    text = "````{note}\n```{code-cell}\n:tags: [a]\n```{x}\n```\n````\n"
    found = [
        block.name for block in walk(text.splitlines()) if isinstance(block, Directive)
    ]
    assert found == ["note", "code-cell"]


def test_a_fence_that_is_never_closed_ends_with_the_text():
    [block] = blocks(["```{note}", "text"])
    assert block.lines == ["text"]


def test_the_header_is_no_part_of_the_text():
    assert without_header("---\na: 1\n---\n# Title") == (["# Title"], 4)
    assert without_header("# Title\n---\nText") == (["# Title", "---", "Text"], 1)
