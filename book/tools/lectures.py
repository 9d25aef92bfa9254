"""A unit as a lecture: what of a chapter goes on slides, on a sheet for class and into a quiz.

Nothing has a second copy: the question is the title of the unit, and its opening words, the instance that is
worked by hand, the statements with the ideas of their proofs, the figures and the questions at its end are
those of the chapter. ``book/lectures.yml`` names the section that is the instance, and quotes what of it the
sheet leaves open.
"""

import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

import yaml

from book.tools import short_path, units
from book.tools.chapters import Chapter
from book.tools.handouts import Handout
from book.tools.myst import Block, Directive, Text
from book.tools.plain import References, markdown

MOST_WORDS, FULL = 40, 60  # words of a paragraph and of a slide, where rows and formulas count as some
FEW = 3  # words of a sentence that stays with the one before
_CHUNK = re.compile(r"(\$\$.*?\$\$|^\|.*(?:\n\|.*)*|^(?:[-*>]|\d+\.)\s.*(?:\n.+)*)", re.DOTALL | re.MULTILINE)
_MASKED = re.compile(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)")
_END = re.compile(r"(?<=[.?!])[\"”’)*]*\s+(?=[A-Z“\"(*])")
_CLAUSE = re.compile(r"(?<=[;:])\s+|(?<=,)\s+(?=(?:and|but|so|which|where|because|since|while|if|that|then)\b)")
_IDEA = re.compile(r"^\*(?:Idea|Plan)\b[^*]*\*")
_ASIDE = re.compile(r"\b(?:cells?|[Ff]ig(?:ure|\.)|library|slider|page|code below)\b|`|^After this chapter")
_ITEM = re.compile(r"\n(?=(?:[-*]|\d+\.)\s)")
_ASKED = re.compile(r"^\*\w+\.\*\s+", re.MULTILINE)
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Slide(NamedTuple):
    """A slide: its kind, the line above its heading, the heading, plain Markdown, and the name of a figure."""

    kind: str
    above: str
    head: str
    body: str = ""
    figure: str = ""


class Lecture(NamedTuple):
    """A unit: chapter, number, question; slides; the instance and what of it is open; boxes; questions with answers."""

    topic: str
    number: int
    question: str
    slides: list[Slide]
    instance: str
    open: list[str]
    boxes: list[tuple[str, str]]
    asked: list[tuple[str, str]]

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.topic}-{self.number}"


def listed(root: Path) -> dict[str, dict]:
    """What ``book/lectures.yml`` says of each lecture."""
    file = root / "book" / "lectures.yml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}


# ---------------------------------------------------------------- text in pieces


def _cut(text: str, places: re.Pattern) -> list[str]:
    """Pieces of a text between places outside of formulas and code."""
    masked, found, begin = _MASKED.sub(lambda m: "M" * len(m[0]), text), [], 0
    for place in places.finditer(masked):
        found.append(text[begin : place.end()].strip())
        begin = place.end()
    return [*found, text[begin:].strip()]


def sentences(text: str) -> Iterator[str]:
    """Sentences of a paragraph; one that is too long for a slide is cut where clauses end."""
    for sentence in _cut(" ".join(text.split()), _END):
        line, *clauses = _cut(sentence, _CLAUSE) if short_path.words(sentence) > MOST_WORDS else [sentence]
        for clause in clauses:
            if short_path.words(f"{line} {clause}") > MOST_WORDS:
                yield line
                line = clause
            else:
                line = f"{line} {clause}"
        yield line


def chunks(plain: str) -> list[str]:
    """Sentences, displayed formulas, tables and lists of a text; what a sentence announces stays with it."""
    found: list[str] = []
    for paragraph in plain.split("\n\n"):
        for piece in filter(str.strip, _CHUNK.split(paragraph)):
            text, listed_ = piece.strip(), not piece.lstrip().startswith(("|", "$$"))
            if not _CHUNK.match(text):
                found += sentences(text)
                if len(found) > 1 and short_path.words(found[-1]) <= FEW and "\n" not in found[-2]:
                    found[-2:] = [f"{found[-2]} {found[-1]}"]
            elif listed_ and short_path.words(text) > MOST_WORDS:
                found += [line for item in _ITEM.split(text) for line in sentences(item)]
            elif found and (text.startswith("$$") or found[-1].endswith(":")):
                found[-1] += f"\n\n{text}"
            else:
                found.append(text)
    return found


def _weight(piece: str) -> int:
    """Room of a piece on a slide, in words."""
    return short_path.words(piece) + 5 * piece.count("$$") + 8 * piece.count("\\\\") + 5 * piece.count("\n|")


def paged(plain: str) -> Iterator[str]:
    """Bodies of slides with the pieces of a text in order, about as full as each other."""
    pieces = chunks(plain)
    total, pages, filled = sum(map(_weight, pieces)), [[]], 0
    share = total / max(1, ceil(total / FULL))
    for piece in pieces:
        if pages[-1] and filled + _weight(piece) / 2 > share * len(pages):
            pages.append([])
        pages[-1].append(piece)
        filled += _weight(piece)
    yield from map("\n\n".join, filter(None, pages))


def _gap(text: str, filled: bool) -> str:
    """A gap as wide as what belongs there."""
    letters = len(re.sub(r"\\[a-z]+|[${}\\]", "", text))
    return f'<span class="gap" style="min-width: {max(3, 0.7 * letters):.1f}em">{text if filled else ""}</span>'


def with_gaps(instance: str, quotations: list[str], *, filled: bool) -> str:
    """The instance with gaps, filled or empty, for what stands in the brackets of each quotation.

    Raises
    ------
    ValueError
        When a quotation does not occur once, or has no brackets.
    """
    for quotation in quotations:
        words = _BRACKETS.sub(r"\1", quotation)
        if instance.count(words) != 1 or words == quotation:
            raise ValueError(f"{quotation!r} must occur once in the instance, and have brackets")
        instance = instance.replace(words, _BRACKETS.sub(lambda found: _gap(found[1], filled), quotation))
    return instance


# ---------------------------------------------------------------- a unit


def _plain(part: Text | Directive, references: References) -> str:
    return markdown("\n".join(line for line in part.lines if not line.startswith("#")), references)


def _texts(parts: list[Block], references: References) -> str:
    """Paragraphs of a section, with neither code nor what stands in boxes."""
    return "\n\n".join(filter(None, (_plain(part, references) for part in parts if isinstance(part, Text))))


def _by_section(unit: units.Section) -> dict[str, list[Block]]:
    """Blocks of a unit below each of its headings without a star; the empty one is that of the unit."""
    found: dict[str, list[Block]] = {"": []}
    for path, stretch in unit.stretches:
        if not any(map(short_path.is_further, path)):
            found.setdefault(path[2] if len(path) > 2 else "", []).extend(stretch)
    return found


def _opening(plain: str) -> str:
    """The first sentences of a text, as many as a paragraph of a slide holds."""
    kept = ""
    for sentence in sentences(plain.partition("\n\n")[0]):
        if short_path.words(f"{kept} {sentence}") > MOST_WORDS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept


def _by_hand(plain: str) -> str:
    """A text without what speaks of code and pictures, or of the idea of a proof."""
    kept = []
    for paragraph in plain.split("\n\n"):
        if not _IDEA.match(paragraph) and not _ASIDE.search(next(sentences(paragraph))):
            pieces = [piece for piece in _CHUNK.split(paragraph) if piece.strip()]
            said = [p if _CHUNK.match(p.strip()) else _without_asides(p) for p in pieces]
            kept.append("\n\n".join(filter(str.strip, said)))
    return "\n\n".join(filter(None, kept))


def _without_asides(text: str) -> str:
    return " ".join(sentence for sentence in sentences(text) if not _ASIDE.search(sentence))


def _box(part: Directive, references: References) -> tuple[str, str]:
    """Title of a statement, with its number, and its text."""
    number = references.words(part.label) if part.label else part.name[4:].title()
    title = markdown(part.argument, references)
    return f"{number}. {title}" if title else number, _plain(part, references)


def _of_section(head: str, parts: list[Block], references: References) -> Iterator[Slide]:
    """Statements with the ideas of their proofs, and figures, in the order of a section."""
    for part in parts:
        if isinstance(part, Text):
            ideas = [said for said in _plain(part, references).split("\n\n") if _IDEA.match(said)]
            yield from (Slide("idea", head, "Why it is true", body) for said in ideas for body in paged(said))
        elif units.is_statement(part) or getattr(part, "name", "") == "prf:algorithm":
            title, text = _box(part, references)
            yield from (Slide("statement", head, title, body) for body in paged(text))
        elif drawn := (getattr(part, "options", {}).get("mystnb") or {}).get("figure"):
            yield Slide("picture", head, "", figure=drawn["name"])


def _questions(parts: list[Block], references: References) -> list[tuple[str, str]]:
    """Questions at the end of a unit with their answers."""
    asked = [said for text in _texts(parts, references).split("\n\n") for said in _ASKED.split(text)[1:]]
    answers = [_plain(part, references) for part in parts if isinstance(part, Directive)]
    return list(zip(asked, answers, strict=True))


def lecture(of: Handout, unit: units.Section, number: int, opening: str, said: dict) -> Lecture:
    """The lecture of a unit, with what ``book/lectures.yml`` says of it.

    Raises
    ------
    ValueError
        When the instance is no section of the unit.
    """
    parts, references, question = _by_section(unit), of.references, unit.title.partition(": ")[2]
    if said["instance"] not in parts:
        raise ValueError(f"{of.topic}: {said['instance']!r} is no section of unit {number}")
    instance = _by_hand(_texts(parts[said["instance"]], references))
    asked = _questions(parts.pop(f"Questions to unit {number}"), references)
    first = next(head for head in parts if head)
    leads = [opening if number == 1 else _texts(parts[""], references)]
    leads += [_texts(parts[first], references)] if first != said["instance"] else []
    lead = next(filter(None, map(_by_hand, leads)), "")
    slides, boxes = [Slide("question", f"Unit {number}", question, _opening(lead))], []
    for section, blocks in parts.items():
        head = markdown(section, references)
        if section == said["instance"]:
            slides += [Slide("instance", "An instance", head, body) for body in paged(instance)]
            slides += [Slide("picture", head, "", figure=said["picture"])] if "picture" in said else []
        slides += _of_section(head, blocks, references)
        boxes += [_box(part, references) for part in blocks if units.is_statement(part)]
    for place, (question_, answer) in enumerate(asked, 1):
        slides += [Slide("ask", "On the spot", f"Question {place}", body) for body in paged(question_)]
        slides += [Slide("answer", f"Question {place}", "Answer", body) for body in paged(answer)]
    return Lecture(of.topic, number, question, slides, instance, said["open"], boxes, asked)


def of_chapter(root: Path, of: Handout) -> list[Lecture]:
    """The lectures of a chapter that are listed."""
    text, told = Chapter(root, of.topic).source.read_text(encoding="utf-8"), listed(root)
    opening = next(_texts(stretch, of.references) for path, stretch in short_path.sections(text) if path)
    found = enumerate(filter(units.is_unit, units.chapter_sections(text)), 1)
    names = [(unit, number, f"{of.topic}-{number}") for number, unit in found]
    return [lecture(of, unit, number, opening, told[name]) for unit, number, name in names if name in told]
