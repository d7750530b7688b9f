"""A finished debate is played back: on the page of a server and in the file that was exported, by pointer and keys."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import moot
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.servers import Site

pytestmark = pytest.mark.browser
LONG = 60_000
"""Milliseconds: longer than any entry is shown."""
MOVING = {"reduced_motion": "no-preference"}


@contextmanager
def shown(browser: Browser, site: Site, run: moot.Run, kind: str, **settings: Any) -> Iterator[Page]:
    """The debate on a page of the server, or in its file without a network."""
    with opened(browser, offline=kind == "file", **settings) as page:
        page.clock.install()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(exported(site, run).as_uri() if kind == "file" else f"{site.url}/runs/{run.name}")
        yield page
        if kind == "file":
            assert [url for url in asked if not url.startswith("data:")] == [page.url.partition("#")[0]]


def exported(site: Site, run: moot.Run) -> Path:
    """The report as one file."""
    file = run.path.parent.with_name(f"{run.name}.html")
    with site.client() as client:
        file.write_text(client.get(f"/api/runs/{run.name}/export/html").raise_for_status().text, "utf-8")
    return file


def entries(page: Page) -> list[int]:
    """The entries that can be seen."""
    found = "all => all.filter(one => /^e\\d+$/.test(one.id) && one.offsetHeight).map(one => Number(one.id.slice(1)))"
    seqs: list[int] = page.eval_on_selector_all("#transcript > *", found)
    return seqs


def test_it_is_scrubbed_and_stepped_by_keys(browser: Browser, site: Site, finished: dict[str, moot.Run]) -> None:
    run = finished["duel"]
    last = len(run.readable()) - 1
    scores = [entry.seq for entry in run.readable() if entry.type == "score"]
    with shown(browser, site, run, "page") as page:
        marks = page.locator(".grows .line > .mark:visible")
        drawn = page.get_attribute(".grows .line path", "d")
        whole = marks.count()
        page.get_by_role("button", name="Play it back").click()
        slider = page.get_by_role("slider", name="Timeline")
        assert entries(page) == [0]
        assert marks.count() == 0, "nothing is scored yet"
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
        for _ in range(scores[0]):
            page.keyboard.press("ArrowRight")
        assert entries(page) == list(range(scores[0] + 1))
        assert marks.count() == 2, "one score, and the name beside the chart"
        expect(page.locator(f"#e{scores[0]}")).to_be_in_viewport()
        expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^Entry {scores[0] + 1} of {last + 1}: Kim, "))
        page.keyboard.press("ArrowLeft")
        assert entries(page) == list(range(scores[0]))
        assert marks.count() == 0
        page.keyboard.press("End")
        assert entries(page) == list(range(last + 1))
        assert (marks.count(), page.get_attribute(".grows .line path", "d")) == (whole, drawn)
        page.keyboard.press("Home")
        assert entries(page) == [0]
        slider.fill(str(last // 2))
        assert entries(page) == list(range(last // 2 + 1))
        assert page.locator("#verdict").is_hidden(), "the end is not given away"
        page.keyboard.press("Escape")
        assert entries(page) == list(range(last + 1))
        expect(page.locator("#verdict")).to_be_visible()
        expect(page.get_by_role("button", name="Play it back")).to_be_focused()


def test_it_plays_by_itself_and_stops_at_the_end(browser: Browser, site: Site, finished: dict[str, moot.Run]) -> None:
    run = finished["duel"]
    with shown(browser, site, run, "file", **MOVING) as page:
        page.locator("nav [data-replay]").click()
        expect(page.locator("[data-play]")).to_have_text("Pause")
        page.select_option("#replay select", "4")
        expect(page.locator("#e2")).to_be_visible()
        page.locator("#transcript").click(position={"x": 2, "y": 2})
        page.keyboard.press("Space")
        expect(page.locator("[data-play]")).to_have_text("Play")
        stopped = entries(page)
        page.clock.fast_forward(LONG)
        assert entries(page) == stopped, "a pause is a pause"
        page.keyboard.press("Space")
        expect(page.locator(f"#e{len(run.readable()) - 1}")).to_be_visible()
        expect(page.locator("[data-play]")).to_have_text("Play")


@pytest.mark.parametrize(("protocol", "width", "scheme"), [("duel", 1440, "light"), ("persuasion", 390, "dark")])
def test_it_is_for_everybody(
    browser: Browser, site: Site, finished: dict[str, moot.Run], tmp_path: Path, protocol: str, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 900}
    for kind in ("page", "file"):  # which the tests of a site ask axe about
        with shown(browser, site, finished[protocol], kind, viewport=size, color_scheme=scheme) as page:
            page.locator("nav [data-replay]").click()
            page.get_by_role("slider", name="Timeline").fill("9")
            kept(page, f"replay-{protocol}-{width}-{scheme}-{kind}")
            assert fits(page)
            assert kind == "file" or faults_of(page, contrast=True) == []
            bar, entry = page.locator("#replay").bounding_box(), page.locator(".now").bounding_box()
            assert bar and entry and entry["y"] < bar["y"], "the bar does not cover what is played"


@pytest.mark.parametrize("kind", ["page", "file"])
def test_without_scripts_the_page_is_whole(
    browser: Browser, site: Site, finished: dict[str, moot.Run], kind: str
) -> None:
    run = finished["duel"]
    with shown(browser, site, run, kind, java_script_enabled=False) as page:
        assert page.locator("[data-replay]:visible").count() == 0
        expect(page.locator("#replay")).to_be_hidden()
        assert page.locator("#transcript > [id^=e]:visible").count() == len(run.readable())
