"""Plain Markdown for notebooks: `book.tools.plain_markdown`, and citations in it: `book.tools.citations`."""

import pytest

from book.extensions.citation_labels import Labels
from book.tools import citations
from book.tools.plain_markdown import References, markdown
from tests.refusals import refused

WORDS = {
    "l4-thm-one": "Theorem 1.2",
    "fig-one": "Figure 1.1",
    "ex-one": "Exercise 1.1",
    "sec": "A section",
}
REFERENCES = References(
    values={"total": "0.25"},
    works={
        "A2020": ("Adams", "2020"),
        "B": ("Brown and Clark", "2021"),
        "Notes": ("Lecture 4", ""),
    },
    words=WORDS.__getitem__,
    title={"other": "The other chapter"}.__getitem__,
)


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        ("It is {glue:text}`total`.", "It is 0.25."),
        (
            "See {prf:ref}`l4-thm-one` and {ref}`there <sec>`.",
            "See Theorem 1.2 and there.",
        ),
        (
            "{numref}`fig-one`, {numref}`the picture <fig-one>`",
            "Figure 1.1, the picture",
        ),
        (
            "{cite:t}`A2020` and {cite:p}`A2020,B`.",
            "Adams (2020) and (Adams, 2020; Brown and Clark, 2021).",
        ),
        ("{cite:t}`Notes` {cite:p}`Notes`", "Lecture 4 (Lecture 4)"),
        ("{doc}`other` or {doc}`this <other>`", "*The other chapter* or this"),
        ("{term}`word` {py:func}`~privml.audit`", "word `privml.audit`"),
        (
            "{item}`L4-thm-one`, {erratum}`the slip <L4-thm-one/2>`",
            "`L4-thm-one`, the slip",
        ),
        ("It is [0.53]{.worked} by hand.", "It is 0.53 by hand."),
        (
            "It says [0.201]{.quoted}, [at {glue:text}`total`]{.quoted}.",
            "It says 0.201, at 0.25.",
        ),
        (
            "Code `{ref}` stays, $x_{\\varepsilon}$ too.",
            "Code `{ref}` stays, $x_{\\varepsilon}$ too.",
        ),
        ("(sec)=\n## A section\n% comment\n{.class}", "## A section"),
        ("$$\nx\n$$ (eq-one)", "$$\nx\n$$"),
        ("```{note}\nCareful.\n```", "**Note.**\n\nCareful."),
        ("```{admonition} Look\nHere.\n```", "**Look.**\n\nHere."),
        ("```{margin}\nAside.\n```", "**In the margin.** Aside."),
        (
            "```{erratum} L4, Lemma 1\nNo.\n\nNot so.\n```",
            "> *Erratum* (L4, Lemma 1). No.\n>\n> Not so.",
        ),
        (
            "(old)=\n```{prf:theorem} Name\n:label: l4-thm-one\n\nIt holds.\n\nAlways.\n```",
            "**Theorem 1.2** (Name). It holds.\n\nAlways.",
        ),
        ("```{prf:remark}\n1. One\n2. Two\n```", "**Remark**.\n\n1. One\n2. Two"),
        ("```{prf:proof}\nClear.\n```\nNext.", "*Proof.* Clear.\n\n∎\n\nNext."),
        (
            "```{exercise-start} Sum\n:label: ex-one\n:class: code easy\n```\nAdd.\n```{exercise-end}\n```",
            "**Exercise 1.1** (Sum; code, easy).\n\nAdd.",
        ),
        (
            "```{solution-start} ex-one\n:label: sol\n:class: dropdown\n```\nSo.\n```{solution-end}\n```",
            "**Solution to Exercise 1.1.**\n\nSo.",
        ),
        ("- item\n\n  ```{tip}\n  Inside.\n  ```", "- item\n\n  **Tip.**\n\n  Inside."),
        ("```{math}\nx\n```", "$$\nx\n$$"),
        ("```{code-block} python\nx = 1\n```", "```python\nx = 1\n```"),
        ("```\nmake\n```", "```\nmake\n```"),
        ("````{tip}\n```python\nx\n```\n````", "**Tip.**\n\n```python\nx\n```"),
        ("```{bibliography}\n```\nEnd", "End"),
    ],
)
def test_myst_becomes_plain_markdown(myst, plain):
    assert markdown(myst, REFERENCES) == plain


test_what_has_no_plain_form_is_refused = refused(
    ("{glue:text}`sum`", "there is no computed number 'sum'"),
    ("{cite:t}`C`", "there is no work 'C'"),
    ("{unknown}`x`", "the role 'unknown' has no plain form"),
    ("{numref}`picture %s <fig-one>`", "the role 'numref' has no plain form"),
    ("Text [open]{.quoted", "raw markup is left"),
    call=lambda myst: markdown(myst, REFERENCES),
)


BIBLIOGRAPHY = r"""
@article{One, author={Adams, Ann}, title={First}, journal={J.}, year={2020}}
@book{Two, author={van der Brown, B. and Clark, C.}, title={Second}, publisher={P.}, year={2021}}
@misc{Many, author={Adams, A. and Brown, B. and Clark, C.}, title={Third}, year={2022}}
@misc{Nobody, title={{Notes}}, note={Seen}}
"""


def test_works_are_cited_by_author_and_year_and_listed_whole(tmp_path):
    file = tmp_path / "references.bib"
    file.write_text(BIBLIOGRAPHY)
    assert citations.works(file) == {
        "One": ("Adams", "2020"),
        "Two": ("van der Brown and Clark", "2021"),
        "Many": ("Adams et al.", "2022"),
        "Nobody": ("Notes", "undated"),
    }
    listed = citations.reference_list(file, ["Many", "One"])
    assert listed[0].startswith("- Ann Adams. First. *J.*, 2020.")
    assert "Third" in listed[1]
    assert citations.reference_list(file, []) == []


def test_works_of_the_same_names_and_year_are_told_apart(tmp_path):
    file = tmp_path / "references.bib"
    alike = BIBLIOGRAPHY.replace("title={Third}", "title={Another}").replace(
        "Many,", "Alike,"
    )
    file.write_text(
        BIBLIOGRAPHY + alike[alike.index("@misc{Alike") : alike.index("@misc{Nobody")]
    )
    works = citations.works(file)
    assert (works["Alike"], works["Many"]) == (
        ("Adams et al.", "2022a"),
        ("Adams et al.", "2022b"),
    )
    assert works["One"] == ("Adams", "2020")
    assert citations.reference_list(file, ["Many"])[0].endswith("2022b.")
    entries = citations._entries(file)
    citations.lettered(entries.values())
    assert entries["Alike"].fields["year"] == "2022a"  # a second time changes nothing
    assert Labels().format_label(entries["Alike"]) == "ABC22"


def test_a_missing_or_empty_bibliography_has_no_works(tmp_path):
    (tmp_path / "empty.bib").write_text("\n")
    assert (
        citations.works(tmp_path / "empty.bib")
        == citations.works(tmp_path / "none.bib")
        == {}
    )
