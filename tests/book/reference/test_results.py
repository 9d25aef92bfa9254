"""Status of an item, names and anchors of the errata, and the real inventory behind them."""

from pathlib import Path

import pytest

from book.tools import inventory, results
from book.tools.results import Evidence, status

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("tier", "evidence", "expected"),
    [
        ("core", Evidence(["f"], ["t"], True), "covered"),
        ("core", Evidence(["f"], ["t"], False), "partly"),
        ("core", Evidence(["f"], [], True), "partly"),
        ("core", Evidence([], ["t"], True), "partly"),
        ("core", Evidence([], [], False), "not yet"),
        ("support", Evidence([], ["t"], False), "covered"),
        ("support", Evidence([], [], True), "covered"),
        ("support", Evidence(["f"], [], False), "partly"),
        ("context", Evidence([], [], True), "covered"),
        ("context", Evidence(["f"], ["t"], False), "partly"),
        ("context", Evidence([], [], False), "not yet"),
    ],
)
def test_the_status_follows_the_tier(tier, evidence, expected):
    assert status(tier, evidence) == expected


def test_errata_are_numbered_from_the_second_on():
    item = {"id": "S16-thm-0.3", "errata": [{"type": "typo"}, {"type": "proof"}]}
    found = results.errata_of(item)
    assert [erratum.name for erratum in found] == ["S16-thm-0.3", "S16-thm-0.3/2"]
    assert [erratum.anchor for erratum in found] == [
        "erratum-s16-thm-0.3",
        "erratum-s16-thm-0.3-2",
    ]
    assert results.errata_of({"id": "L4-def-pac", "errata": None}) == []


def test_slips_are_counted_apart_from_errata_of_the_mathematics():
    entries = [
        {"type": "typo"},
        {"type": "wrong", "slip": True},
        {"type": "wrong"},
        {"type": "loose"},
    ]
    found = results.errata_of({"id": "S16-thm-0.3", "errata": entries})
    assert [erratum.type for erratum in found] == ["typo", "typo", "wrong", "loose"]
    assert results.counted_kinds(found) == "1 erratum, 2 slips, 1 remark"
    assert sorted(
        kind for _, types in results.KINDS.values() for kind in types
    ) == sorted(results.TYPES)


def test_a_slip_is_marked_only_where_a_line_is_wrong():
    marked = [
        e
        for item in inventory.items(ROOT)
        for e in results.errata_of(item)
        if "slip" in e.entry
    ]
    assert len(marked) == 15
    assert all(
        e.entry["slip"] is True and e.entry["type"] in ("wrong", "proof")
        for e in marked
    )


def test_anchors_of_items_and_errata_are_unique():
    items = inventory.items(ROOT)
    anchors = [results.item_anchor(item["id"]) for item in items]
    anchors += [erratum.anchor for item in items for erratum in results.errata_of(item)]
    assert len(anchors) == len(set(anchors)) == 219 + 167


def test_every_item_has_a_known_source_and_tier_and_every_erratum_a_known_type():
    for item in inventory.items(ROOT):
        assert item["source"] in results.SOURCES
        assert status(item["tier"], Evidence([], [], False)) == "not yet"
        for entry in item["errata"] or []:
            assert entry["type"] in results.TYPES
            assert entry["confidence"] in {"high", "medium", "low"}


def test_docstrings_and_markers_name_what_exists():
    items = {item["id"]: item for item in inventory.items(ROOT)}
    claims = (
        inventory.symbols(ROOT),
        inventory.marked(ROOT, "source"),
        inventory.errata(ROOT),
    )
    assert list(results.unknown_ids(items, *claims)) == []
