"""A published site in a real browser, opened from the disk: it is searched and played back, and asks for nothing."""

import asyncio
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from moot.publish.folder import publish
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.duels import staged
from tests.kit.library import Runs
from tests.kit.servers import elsewhere

pytestmark = pytest.mark.browser
SCREENS = [(1440, "light"), (390, "dark")]


def test_a_site_needs_no_server(browser: Browser, shelves: Runs, tmp_path: Path) -> None:
    chosen = [shelves[name] for name in ("duel", "panel", "persuasion", "hostile")]
    elsewhere(lambda: asyncio.run(publish(chosen, tmp_path / "site")))
    index = (tmp_path / "site" / "index.html").as_uri()
    asked: list[str] = []
    for width, scheme in SCREENS:
        with opened(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
            page.on("request", lambda one: asked.append(one.url))
            page.goto(index)
            expect(page.locator(".debates li")).to_have_count(4)
            page.get_by_label("Search in all that was said").fill("Is it so?")
            expect(page.locator(".debates li:visible")).to_have_count(1)
            kept(page, f"site-{width}-{scheme}")
            assert fits(page)
            assert faults_of(page) == []
            page.get_by_role("link", name="Is it so?").click()
            expect(page.get_by_text("Yes, on the reasons given (8 to 6)").first).to_be_visible()
            assert fits(page)
            assert faults_of(page, contrast=scheme == "dark") == []
            page.get_by_role("button", name="Play it back").click()
            expect(page.get_by_role("region", name="Replay")).to_be_visible()
            page.get_by_role("link", name="Debates").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Debates")
    assert asked
    assert all(one.startswith(("file:", "data:")) for one in asked)


def test_words_are_found_as_they_are_written(browser: Browser, tmp_path: Path) -> None:
    """In any case of letters, and with those that have no lower one of their own."""
    run = elsewhere(lambda: staged(tmp_path / "runs", topic="Soll die Große Straße weichen?"))
    elsewhere(lambda: asyncio.run(publish([run], tmp_path / "site")))
    with opened(browser) as page:
        page.goto((tmp_path / "site" / "index.html").as_uri())
        for words, found in (("straße", 1), ("GROßE", 1), ("allee", 0)):
            page.get_by_label("Search in all that was said").fill(words)
            expect(page.locator(".debates li:visible")).to_have_count(found)
