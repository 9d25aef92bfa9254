"""Decimal numbers in captions and text alternatives: `book.tools.typed_numbers`."""

import pytest

from book.tools.typed_numbers import in_description


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
    assert in_description(text, "", []) == numbers


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
    assert in_description(text, "", []) == []


def test_a_number_of_the_code_or_of_the_table_may_be_typed():
    assert in_description("At 0.25 it is 0.67, not 0.66.", "x = 0.25", [2 / 3]) == [
        "0.66"
    ]
