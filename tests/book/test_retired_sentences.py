"""Wrong sentences around right mathematics do not come back, and pages agree on the same question."""

import re
from pathlib import Path

import pytest

from book.tools.chapters import Chapter
from book.tools.compare import read_shown

ROOT = Path(__file__).parents[2]

RETIRED = {  # what was said -> what holds
    "a tie is the worst case": "for few choices a lead loses up to twice as much",
    "the least penalty that their algorithm allows": "it allows any above c / (e^(epsilon / 2) - 1) as it is",
    "no method at all can improve": "choices that see the level of clipped scores can",
    "a margin that no private method can do without": "between whole multiples of the sensitivity they can",
    "ours is the sharper one": "where f_v is near 1 the published formula is smaller, and false",
    "all four theorems stand": "the direct one needs records of one law",
    "the first draw is exact and the promise is pure": "a promise is for all data sets",
    "both losses are below the bound of the theorem": "it is infinite at eight digits",
    "is never a multiple of $s = m 2^k$": "the share is smaller by a term in 2^-p",
    "there is one exception, and it has been known": "algorithms for lattices solve others",
    "the rate, to three digits": "the exponent is met to two",
}


def words(text: str) -> str:
    """Lower case, one blank between words."""
    return re.sub(r"\s+", " ", text).lower()


@pytest.mark.parametrize("sentence", RETIRED)
def test_a_wrong_sentence_has_not_come_back(sentence):
    pages = {
        path: words(path.read_text(encoding="utf-8"))
        for path in (ROOT / "book").rglob("*.md")
    }
    found = [path.name for path, text in pages.items() if words(sentence) in text]
    assert found == [], RETIRED[sentence]


def records_by_theorem(topic, column):
    tables = read_shown(Chapter(ROOT, topic).notebook).tables
    [(head, *rows)] = [
        table for table in tables if table[0][0] == "theorem" and column in table[0]
    ]
    return {row[0]: row[head.index(column)] for row in rows}


def test_the_recipes_and_the_calculators_ask_for_the_same_number_of_records():
    recipe = records_by_theorem("how-to", "records")
    calculated = records_by_theorem("calculators", "records for alpha")
    shared = recipe.keys() & calculated.keys()
    assert {"private, thirds", "private, halves", "private, one moment"} <= shared
    assert {name: recipe[name] for name in shared} == {
        name: calculated[name] for name in shared
    }
    assert recipe["without privacy"] == calculated["no privacy"]
