"""Decimal numbers typed in sentences: `book.tools.typed_numbers`."""

import pytest

from book.tools.typed_numbers import faults, in_source, in_text


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The ratio is 0.25 here.", ["0.25"]),
        ("It falls from 1,234.5 to .5, or 2.5%.", ["1,234.5", ".5", "2.5"]),
        ("At most $0.3$, and $x^{0.5}$.", ["0.3", "0.5"]),
        ("It is below 1e-6 or 2.5E+3.", ["1e-6", "2.5E+3"]),
        ("**0.7** and α=0.8.", ["0.7", "0.8"]),
        ("# A heading with 0.1", ["0.1"]),
        ("| a | 0.1 |", ["0.1"]),
        ("A theorem of 0.4 and 3.2", ["0.4", "3.2"]),
        ("[0.5]{.workedout} and [0.6]{.other}.", ["0.5", "0.6"]),
        ("Twice 3.14\nand 2.72.", ["3.14", "2.72"]),
    ],
)
def test_a_typed_decimal_number_is_found(text, numbers):
    assert [typed.number for typed in in_text(text)] == numbers


@pytest.mark.parametrize(
    "text",
    [
        "There are 20,000 draws, 12 of them bad, in 3 groups.",
        "Theorem 3.2, lemmas 2.1, 2.2 and 2.3, chapter\n11.1, § 4.5, Python 3.11, CC BY 4.0.",
        "Version 0.1.0 of it.",
        "The code `x = 0.5` and {glue:text}`a-0.5` and {prf:ref}`s16-thm-0.1`.",
        "The source says [0.201]{.quoted}, or [about $0.2$ of [all]]{.quoted}.",
        "By hand [0.53]{.worked}, and [$0.9^2 = 0.81$]{.worked}.",
        "[Here](https://host.example/0.5), <https://host.example/1.5>, doi:10.1145/1968.1972.",
        "(s16-thm-0.1)=\n% a comment with 0.5\n<!-- and\n0.7 -->",
        "1. First.\n2. Second.",
    ],
)
def test_what_is_no_typed_decimal_number_is_left_alone(text):
    assert list(in_text(text)) == []


CHAPTER = """\
---
number: 0.1
---

# Title

First sentence. The second
says 0.2 here. And the third.

```{code-cell} ipython3
x = 0.3
```

```{margin}
A note of 0.4.
```

:::{prf:theorem} At least 0.5
:label: x-0.6

Then, by {cite:t}`A2020`,

```{math}
x = 0.7
```
:::

```python
y = 0.8
```

```{exercise-start} Title
:label: ex
:class: pencil
```
Show [0.9]{.quoted} but not 0.91.
```{exercise-end}
```
"""


def test_sentences_are_found_with_their_line_wherever_they_stand():
    found = in_source(CHAPTER)
    numbers = [(8, "0.2"), (15, "0.4"), (18, "0.5"), (24, "0.7"), (36, "0.91")]
    assert [(typed.line, typed.number) for typed in found] == numbers
    assert found[0].sentence == "The second says 0.2 here."


def test_a_fault_names_file_line_and_sentence():
    [fault] = faults("# Title\n\nOne. It is 0.5 of it.\n", "book/page.md")
    assert fault.startswith("book/page.md:3: the decimal number 0.5 is typed in a sentence")
    assert fault.endswith(": It is 0.5 of it.")
