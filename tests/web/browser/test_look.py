"""The look of the pages in a real browser: one typeface, light pages, marks of speakers, every script."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

import moot
from moot.testing import Scripted
from moot.text.initials import initials
from moot.web import pages
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.players import PLAYER, Player, plain
from tests.kit.servers import Site, serving

pytestmark = pytest.mark.browser
HEAVIEST = 150_000
FONTS = Path(pages.__file__).parents[1] / "static" / "fonts"
SHOWN = "[...document.fonts].filter(one => one.status === 'loaded').map(one => one.family.replaceAll('\"', ''))"
TOPICS = {
    "de": "Soll die Stadt Straßen für Autos sperren? Łódź tat es.",
    "zh": "城市应该禁止汽车进入市中心吗？",
    "ar": "هل يجب على المدينة إغلاق الشوارع أمام السيارات؟",
}


def weighed(page: Page, address: str) -> dict[str, int]:
    """The bytes of everything that the page at that address asks for, but the page itself."""
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one))  # noqa: PLW0108 (playwright wants a function)
    page.goto(address)
    page.evaluate("document.fonts.ready")
    return {one.url: len(one.body()) for one in answers if one.url != page.url and one.status == 200}


def test_a_page_is_light_and_asks_nobody_else(browser: Browser, site: Site, finished: dict[str, moot.Run]) -> None:
    runs = [f"/runs/{finished[name].name}{more}" for name in ("duel", "persuasion", "arena") for more in ("", "/watch")]
    for path in ("/", "/start", *runs):
        with opened(browser) as page:  # a new one, which has nothing kept
            weights = weighed(page, f"{site.url}{path}")
            assert sum(weights.values()) <= HEAVIEST, (path, weights)
            assert all(url.startswith((site.url, "data:")) for url in weights), path
            assert page.evaluate(SHOWN)[:1] == ["Atkinson Hyperlegible Next"], path


def test_the_fonts_are_those_that_are_on_record() -> None:
    source = (FONTS / "SOURCE.md").read_text("utf-8")
    recorded = dict(re.findall(r"\| `([\w-]+\.woff2)` \|.*\| `([0-9a-f]{64})` \|", source))
    assert recorded == {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in FONTS.glob("*.woff2")}
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text("utf-8")


@pytest.mark.parametrize(("language", "width"), [("zh", 390), ("ar", 1440)])
def test_every_script_is_shown_right(browser: Browser, tmp_path: Path, language: str, width: int) -> None:
    topic = TOPICS[language]
    names = {"ar": ("عائشة", "يوسف"), "zh": ("王小明", "李华")}.get(language, ("Jürgen", "Íñigo"))

    def say(asked: moot.Request) -> Scripted:
        return f"{topic} {topic}" if asked.schema is None else plain(asked)

    player = Player(say)
    player.hold("B/turn/2")
    debaters = [
        {"name": name, "personality": topic, "position": topic, "instructions": topic, "colour": colour}
        for name, colour in zip(names, ("cyan", "magenta"), strict=True)
    ]
    size = {"width": width, "height": 800}
    with serving(tmp_path, models={PLAYER: player}) as site, opened(browser, viewport=size) as page:
        settings: dict[str, Any] = {"topic": topic, "claim": topic, "turns": 2, "jury": 0, "debaters": debaters}
        name = site.do(site.host.start(moot.configure("duel", **settings, model=PLAYER, seed=1)))
        direction = "rtl" if language == "ar" else "ltr"
        page.goto(site.url)
        expect(page.locator(".run .at")).to_have_text("Turn 2 of 2")
        expect(page.locator(".run .last")).to_have_css("direction", direction)
        page.goto(f"{site.url}/runs/{name}/watch")
        expect(page.locator(".typing .face")).to_have_text(initials(names[1]))
        expect(page.locator("[data-working]")).to_have_text(f"{names[1]} is speaking in turn 2")
        assert fits(page)
        player.let_go("B/turn/2")
        page.wait_for_selector("#state[data-ended=done]")
        page.goto(f"{site.url}/runs/{name}")
        page.locator("nav [data-replay]").click()
        page.keyboard.press("End")
        expect(page.locator("#replay output bdi")).to_have_text(names[1])
        expect(page.locator(".now .said")).to_have_css("direction", direction)
        slider, ticks = (page.locator(one).bounding_box() for one in ("#replay input", "#replay .ticks"))
        count = page.locator("#replay .ticks > *").count()
        middle = (ticks["width"] / count / 2) if ticks else 0
        assert slider and ticks and abs(slider["x"] + 8 - ticks["x"] - middle) < 2, "the marks stand over their places"
        assert fits(page)
        assert faults_of(page, contrast=False) == []
        kept(page, f"replay-{language}-{width}")
