"""Theorems that Coq has checked: they compile, rest on the recorded axioms, and belong to statements of the book."""

import importlib.util
import re
import sys
from fractions import Fraction

import pytest

from book import proofs
from book.tools import coq
from book.tools.chapters import ROOT

CERTIFICATES = ("certificates/K2", "certificates/K3")  # `make proofs` has the rest
STATEMENTS = coq.statements(ROOT)
THEOREMS = [statement for statement in STATEMENTS if statement.proved]
needs_coq = pytest.mark.skipif(coq.version() is None, reason=coq.MISSING)
_BOX = re.compile(r"^(?:`{3,}|:{3,})\{prf:\w+\}[^\n]*\n:label: (\S+)$", re.MULTILINE)
_TRUSTED = re.compile(
    r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Unset (?:Guard|Positivity|Universe) Checking"
    r"|bypass_check|native_compute)\b"
)


def sources():
    """All files of proofs but those of the exercises, by name."""
    return {
        name: (ROOT / coq.FOLDER / f"{name}.v").read_text(encoding="utf-8")
        for name in coq.modules(ROOT)
    }


def without_comments(text):
    """Coq without its comments, which may be nested."""
    while True:
        shorter = re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", "", text, flags=re.DOTALL)
        if shorter == text:
            return text
        text = shorter


@pytest.fixture(scope="module")
def generator():
    """The module that makes the certificates."""
    spec = importlib.util.spec_from_file_location(
        "certificates", ROOT / coq.FOLDER / "certificates.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["certificates"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Everything compiled but for the larger certificates."""
    folder = tmp_path_factory.mktemp("proofs")
    names = [
        name
        for name in coq.modules(ROOT)
        if name != coq.TABLE
        and (not name.startswith("certificates/") or name in CERTIFICATES)
    ]
    coq.laid_out(ROOT, folder, names)
    assert list(coq.compiled(folder, names, coq.cores())) != []
    return folder


# What the files say


def test_nothing_is_taken_on_trust():
    for name, text in sources().items():
        assert _TRUSTED.findall(without_comments(text)) == [], name


def test_a_comment_may_hold_what_code_may_not():
    assert _TRUSTED.findall(without_comments("(* a (* b *) Axiom *) Admitted.")) == [
        "Admitted"
    ]


def test_each_label_is_that_of_a_statement_of_the_book():
    known = {
        label
        for file in (ROOT / "book").glob("*.md")
        for label in _BOX.findall(file.read_text(encoding="utf-8"))
    }
    assert len(known) > 500
    named = {label for statement in STATEMENTS for label in statement.labels}
    assert sorted(named - known) == []


def test_each_marked_comment_is_followed_by_a_statement_that_is_found():
    marks = sum(
        len(re.findall(r"^\(\*\* (?:book:|checked --)", text, re.MULTILINE))
        for text in sources().values()
    )
    assert marks == len(STATEMENTS) > 50


def test_a_statement_is_taken_from_its_file_to_its_full_stop():
    [found] = coq.statements_of(
        "Privacy",
        "(** book: thm-a lem-b -- only\n    part 1 *)\nTheorem name {X} (x : X) :\n"
        "  x = x.\nProof. reflexivity. Qed.\n",
    )
    assert (found.labels, found.note, found.name) == (
        ("thm-a", "lem-b"),
        "only part 1",
        "name",
    )
    assert found.text == "Theorem name {X} (x : X) :\n  x = x."
    assert (found.line, found.path, found.proved) == (3, "proofs/Privacy.v", True)


def test_no_two_theorems_share_a_name_and_each_has_its_axioms_recorded():
    names = [statement.name for statement in THEOREMS]
    assert sorted({*names}) == sorted(names)
    assert sorted(coq.recorded(ROOT)) == sorted(names)


def test_all_axioms_are_those_of_the_library_of_reals():
    used = {axiom for axioms in coq.recorded(ROOT).values() for axiom in axioms}
    assert used == {
        "classic",
        "functional_extensionality_dep",
        "sig_forall_dec",
        "sig_not_dec",
    }
    text = (ROOT / "book" / "checked-proofs.md").read_text(encoding="utf-8")
    assert [axiom for axiom in used if f"`{axiom}`" not in text] == []


def test_each_file_comes_after_those_that_it_needs():
    seen = set()
    for name, text in sources().items():
        assert coq.required(text) <= seen
        seen.add(name)
    assert coq.required("From Privml.certificates Require K2 K3.\n") == {*CERTIFICATES}


# The table of sample sizes


def test_the_certified_table_is_that_of_the_chapter(generator):
    entries = generator.table_of_chapter()
    assert len(entries) == 58
    assert (ROOT / coq.FOLDER / "Table.v").read_text(
        encoding="utf-8"
    ) == generator.whole_table(entries)
    for entry in entries:
        file = ROOT / coq.FOLDER / "certificates" / f"K{entry.n_points}.v"
        claimed = f"Theorem {entry.name} : {generator.claim(entry)}."
        assert claimed in file.read_text(encoding="utf-8").split("\n")


@pytest.mark.parametrize(("beta", "delta"), [("1/10", "0"), ("1/4", "1/10")])
def test_the_generator_finds_certificates_and_knows_bad_ones(generator, beta, delta):
    entries = generator.table_of_chapter()
    [entry] = [
        e
        for e in entries
        if (e.beta, e.delta, e.n_points) == (Fraction(beta), Fraction(delta), 3)
    ]
    yes, no = generator.enough(entry), generator.short(entry)
    assert generator.proves(no, entry)
    assert not generator.proves(no, entry._replace(beta=2 * entry.beta))
    assert not generator.proves(no._replace(multipliers=[]), entry)
    counts = generator.count_vectors(entry.n_points, entry.n_samples)
    places = {generator.records(row): i for i, row in enumerate(counts)}
    law = generator.np.zeros((len(counts), entry.n_points), dtype=int)
    for z, row in yes.rows.items():
        law[places[tuple(4 - v for v in reversed(z))]] = row[::-1]
    for z, row in yes.rows.items():
        law[places[z]] = row
    assert generator.keeps(law, yes.denominator, entry)
    assert not generator.keeps(
        law, yes.denominator, entry._replace(beta=entry.beta / 9)
    )
    law[0] = [yes.denominator, 0, 0]
    assert not generator.keeps(law, yes.denominator, entry)


# What Coq says


@needs_coq
def test_everything_compiles_and_rests_on_the_recorded_axioms(built):
    """File by file, since to look for axioms takes a second; `make proofs` looks at each theorem."""
    groups = {}
    for statement in THEOREMS:
        if statement.module != coq.TABLE:
            groups.setdefault(statement.module, []).append(statement)
    known = coq.recorded(ROOT)
    assert coq.assumptions(built, groups) == {
        module: sorted({axiom for each in group for axiom in known[each.name]})
        for module, group in groups.items()
    }


@needs_coq
@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        (
            "Statistics",
            "<= (b - a) / INR m) /\\",
            "<= (b - a) / (2 * INR m)) /\\",
        ),
        (
            "Stability",
            "Rabs (Ex ys p phi - Ex ys q phi) <= (exp eps - 1 + 2 * delta) / (exp eps + 1).",
            "Rabs (Ex ys p phi - Ex ys q phi) <= (exp eps - 1 + delta) / (exp eps + 1).",
        ),
        ("certificates/K2", "([1;1;2]%nat, [7;3])", "([1;1;2]%nat, [8;2])"),
        ("certificates/K2", "([2;2]%nat, 9)", "([2;2]%nat, 99)"),
    ],
)
def test_a_false_constant_is_refused(built, name, true, false):
    text = (built / f"{name}.v").read_text(encoding="utf-8")
    assert text.count(true) >= 1
    planted = f"{name}_planted"
    (built / f"{planted}.v").write_text(text, encoding="utf-8")
    coq.compile_file(built, planted)  # so that it is the constant that is refused
    (built / f"{planted}.v").write_text(text.replace(true, false, 1), encoding="utf-8")
    with pytest.raises(RuntimeError, match="Error"):
        coq.compile_file(built, planted)


def exercise_files():
    return sorted((ROOT / coq.FOLDER / "exercises").glob("*.v"))


def claims(text):
    """The statements of a file, without their proofs."""
    return re.findall(
        r"^Theorem .*?\.(?=\n(?:Proof|Admitted))", text, re.DOTALL | re.MULTILINE
    )


def test_there_are_two_exercises_in_each_of_three_chapters():
    files = exercise_files()
    assert len(files) == 3
    page = (ROOT / "book" / "checked-proofs.md").read_text(encoding="utf-8")
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert len(claims(text)) == text.count("\nAdmitted.\n") == 2
        assert f"`{file.name}`" in page
        [topic] = re.findall(r"for the chapter \[([\w-]+)\]", text)
        assert f"/notebooks/{topic}" in page


@needs_coq
@pytest.mark.skipif(
    not (ROOT / coq.SOLUTIONS).is_dir(), reason="the teacher's edition is not here"
)
def test_each_exercise_has_a_solution_with_the_same_statements(built):
    for file in exercise_files():
        exercise = file.read_text(encoding="utf-8")
        solution = (ROOT / coq.SOLUTIONS / file.name).read_text(encoding="utf-8")
        assert claims(solution) == claims(exercise)
        assert _TRUSTED.findall(without_comments(solution)) == []
    proofs.exercises(ROOT, built)


def test_without_coq_a_sentence_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(coq, "version", lambda: None)
    monkeypatch.delenv("PRIVML_REQUIRE_COQ", raising=False)
    assert proofs.main([]) == 0
    assert "apt install coq" in capsys.readouterr().err
    monkeypatch.setenv("PRIVML_REQUIRE_COQ", "1")
    assert proofs.main([]) == 1
