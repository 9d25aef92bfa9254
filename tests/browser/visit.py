"""One visit of one page: everything a browser shows to be wrong with it, one sentence a fault."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, Request, ViewportSize

PROBES = (Path(__file__).parent / "probes.js").read_text(encoding="utf-8")
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
# What depends on the mode, and what depends on the width; no other rule of these tags reads colours or boxes
# that a mode or a width changes without changing the elements.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
OF_WIDTH = ["scrollable-region-focusable", "target-size"]
MILLISECONDS = 60_000


def assert_accessible(page: Page, *parts: str) -> None:
    """What axe-core judges of some parts of a page, in both modes and widths; and no scrolling sideways."""
    page.evaluate(AXE_SCRIPT)
    asked = [{"include": parts}, {"runOnly": {"type": "tag", "values": WCAG}}]
    for mode, size in product(("light", "dark"), (WIDE, NARROW)):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=mode)
        page.wait_for_function(f"document.documentElement.dataset.theme === {mode!r}")
        found = page.evaluate("asked => axe.run(...asked)", asked)["violations"]
        assert [(mode, fault["id"], fault["nodes"][0]["html"]) for fault in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


class Visit:
    """A page in a browser, with what it asked for and complained about, and what its moving figures draw."""

    def __init__(self, page: Page, address: str, name: str):
        self.page, self.address, self.moved = page, address, {}
        self._found: list[str] = []
        heard = {
            "console": lambda message: (
                message.type == "error" and self._note("console", message.text)
            ),
            "pageerror": lambda error: self._note("error of a script", str(error)),
            "request": self._note_outside,
            "requestfailed": lambda request: self._note("failed request", request.url),
            "response": lambda reply: (
                reply.status >= 400 and self._note("failed request", reply.url)
            ),
        }
        page.set_default_timeout(MILLISECONDS)
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        for event, listener in heard.items():
            page.on(event, listener)
        try:
            page.goto(address + name, wait_until="load")
            self._found += self._look()
        finally:
            for event, listener in heard.items():
                page.remove_listener(event, listener)
            page.goto(
                "about:blank"
            )  # nothing that this page still does is a fault of the next one

    @property
    def faults(self) -> list[str]:
        """All faults of the page, each once."""
        return list(dict.fromkeys(self._found))

    def _note(self, kind: str, what: str) -> None:
        self._found.append(f"{kind}: {what}")

    def _note_outside(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self._note("outside", request.url)

    def _look(self) -> Iterator[str]:
        """Look at the page wide, narrow, wide, then in both modes; what axe-core does not judge goes."""
        page = self.page
        page.evaluate(PROBES)
        self._centre_envelope(WIDE)
        yield from page.evaluate("probes.math()")
        yield from page.evaluate("probes.pictures()")
        yield from page.evaluate("probes.lines()")
        self.moved = page.evaluate("probes.moving()")
        self._centre_envelope(NARROW)
        yield from page.evaluate("probes.sideways()")
        yield from page.evaluate("probes.lines()")
        page.evaluate("probes.thin()")
        page.evaluate(AXE_SCRIPT)
        yield from self._axe("narrow", runOnly=OF_WIDTH)
        self._centre_envelope(WIDE)
        switched_off = {rule: {"enabled": False} for rule in OF_COLOURS}
        yield from self._axe(
            "wide", runOnly={"type": "tag", "values": WCAG}, rules=switched_off
        )
        yield from self._colours()

    def _centre_envelope(self, size: ViewportSize) -> None:
        self.page.set_viewport_size(size)
        self.page.evaluate("width => probes.settled(width)", size["width"])

    def _colours(self) -> Iterator[str]:
        """What axe-core says of contrast in both modes, for one element of each kind."""
        for mode in ("light", "dark"):
            yield from self._change(mode)
            self.page.evaluate("probes.choose()")
        self.page.evaluate("probes.keepChosen()")
        for mode in ("dark", "light"):
            yield from self._change(mode)
            yield from self._axe(mode, only_chosen=True, runOnly=OF_COLOURS)

    def _change(self, mode: str) -> list[str]:
        self.page.emulate_media(color_scheme=mode)
        return self.page.evaluate("mode => probes.mode(mode)", mode)

    def _axe(
        self, when: str, *, only_chosen: bool = False, **options: Any
    ) -> list[str]:
        """Violations of rules of axe-core, with the first elements that violate each."""
        options |= {
            "resultTypes": ["violations"],
            "preload": False,
        }  # no rule here reads style sheets
        asked = "([options, some]) => probes.violations(options, some)"
        found = self.page.evaluate(asked, [options, only_chosen])
        return [
            f"axe, {when}: {rule}: {element}: {why}" for rule, element, why in found
        ]
