"""The gallery in a real browser: cards of running debates move, and further debates appear."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import moot
from tests.kit.browser import faults_of, opened
from tests.kit.players import PLAYER, Player
from tests.kit.servers import Site, serving
from tests.kit.waiting import wait_until

pytestmark = pytest.mark.browser
LOOK_EVERY = 5_000
"""Milliseconds, as the page has it."""


def begin(site: Site, topic: str) -> str:
    config = moot.configure("duel", topic=topic, turns=4, model=PLAYER, seed=1)
    return str(site.do(site.host.start(config)))


def test_the_list_moves_by_itself(browser: Browser, tmp_path: Path) -> None:
    player = Player()
    for key in ("A/turn/1", "judge/deliberate"):
        player.hold(key)
    with serving(tmp_path / "runs", models={PLAYER: player}) as site, opened(browser) as page:
        page.clock.install()
        page.goto(site.url)
        expect(page.get_by_text("Nothing has been debated here yet")).to_be_visible()
        first = begin(site, "Is it so, the first time?")
        page.clock.fast_forward(LOOK_EVERY)
        expect(page.locator(f"[data-running='{first}']")).to_be_visible()
        page.get_by_label("Words").fill("half a wo")
        page.get_by_role("link", name="Is it so, the first time?", exact=True).focus()
        second = begin(site, "Is it so, the second time?")
        page.clock.fast_forward(LOOK_EVERY)
        card = page.locator(f"[data-running='{second}']")
        expect(card).to_be_visible()
        assert page.evaluate("document.activeElement.textContent") == "Is it so, the first time?", "the focus stays"
        assert page.get_by_label("Words").input_value() == "half a wo"
        expect(page.get_by_text("2 debates in this folder")).to_be_visible()
        player.let_go("A/turn/1")
        wait_until(lambda: any(one.type == "turn" for one in site.host.find(second).entries()))
        page.clock.fast_forward(LOOK_EVERY)
        expect(card.locator(".last")).to_contain_text("Said at")
        assert faults_of(page) == []
        player.let_go("judge/deliberate")
        wait_until(lambda: not site.host.under_way)
        page.clock.fast_forward(LOOK_EVERY)
        expect(page.locator(".badge", has_text="done")).to_have_count(2)
        expect(page.locator(".run .decided").first).to_contain_text("text (0 to 0)")
