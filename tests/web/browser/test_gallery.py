"""The gallery in a real browser: the cards of running debates move by themselves, over one connection."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import moot
from tests.kit.browser import faults_of, opened, stand_still
from tests.kit.players import PLAYER, Player
from tests.kit.servers import Site, serving
from tests.kit.waiting import wait_until

pytestmark = pytest.mark.browser
LOOK_EVERY = 10_000
"""Milliseconds, as the page has it."""


def begin(site: Site, topic: str) -> str:
    config = moot.configure("duel", topic=topic, turns=4, model=PLAYER, seed=1)
    return str(site.do(site.host.start(config)))


def test_cards_move_by_themselves(browser: Browser, tmp_path: Path) -> None:
    player = Player()
    for key in ("B/turn/2", "judge/deliberate"):
        player.hold(key)
    with serving(tmp_path / "runs", models={PLAYER: player}) as site, opened(browser) as page:
        names = [begin(site, f"Is it so, the {number}th time?") for number in range(6)]
        stand_still(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.url)
        cards = page.locator("[data-running]")
        expect(cards).to_have_count(6)
        card = page.locator(f"[data-running='{names[0]}']")
        expect(card.locator(".at")).to_have_text("Turn 2 of 4")
        expect(card.locator(".last")).to_contain_text("Said at A/turn/1.")
        wait_until(lambda: site.app.state.followers.taken == 1)
        begun = [url for url in asked if "/cards/follow" not in url]
        card.get_by_role("link", name="Compare").focus()
        player.let_go("B/turn/2")
        expect(card.locator(".at")).to_have_text("The verdict")
        expect(card.locator(".last")).to_contain_text("Said at B/turn/4.")
        assert page.evaluate("document.activeElement.textContent") == "Compare", "the focus stays"
        assert site.app.state.followers.taken == 1, "one connection for all cards"
        player.let_go("judge/deliberate")
        expect(page.locator(".badge", has_text="done")).to_have_count(6)
        expect(cards).to_have_count(0)
        expect(page.locator(".run .decided").first).to_contain_text("text (0 to 0)")
        wait_until(lambda: site.app.state.followers.taken == 0)
        assert sum("/cards/follow" in url for url in asked) == 1, "one connection, and never a second"
        assert [url for url in asked if "/cards/" not in url] == begun, "nothing else is asked for again and again"


def test_debates_that_are_begun_elsewhere_appear(browser: Browser, tmp_path: Path) -> None:
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
        expect(page.locator(f"[data-running='{second}']")).to_be_visible()
        assert page.evaluate("document.activeElement.textContent") == "Is it so, the first time?", "the focus stays"
        assert page.get_by_label("Words").input_value() == "half a wo"
        expect(page.get_by_text("2 debates in this folder")).to_be_visible()
        player.let_go("A/turn/1")
        expect(page.locator(f"[data-running='{second}'] .last")).to_contain_text("Said at")
        assert faults_of(page) == []
        for name in (first, second):
            site.do(site.host.cancel(name))


def test_a_gallery_of_ended_debates_asks_for_nothing(browser: Browser, site: Site) -> None:
    with opened(browser) as page:
        stand_still(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.url)
        page.wait_for_load_state("networkidle")
        assert [url for url in asked if url.endswith("/follow") or "/cards/" in url] == []
