"""The page in a real browser, at its worst: nothing runs, nothing is fetched, nothing falls off the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request

import moot
from tests.kit.browser import chromium
from tests.kit.hostile import Runs

pytestmark = pytest.mark.browser

OUTLINE = """() => [...document.querySelectorAll("*")]
    .filter(one => !one.parentElement?.closest(".said, .reason"))
    .map(one => one.tagName + [...one.getAttributeNames()].sort().join())"""
DRAWN = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""What an open page asks for is asked for by then."""
SCREENS = [(1200, "light"), (375, "dark")]


@pytest.fixture(scope="module")
def worst(
    runs: Runs,
    arenas: tuple[moot.Run, moot.Run],
    panels: tuple[moot.Run, moot.Run],
    dialogue: moot.Run,
    chaired: moot.Run,
) -> dict[str, moot.Run]:
    """The worst run of each protocol."""
    return {"duel": runs.hostile, "arena": arenas[1], "panel": panels[1], "persuasion": dialogue, "chaired": chaired}


@pytest.fixture(scope="module")
def browser(worst: dict[str, moot.Run]) -> Iterator[Browser]:
    """After the debates: Playwright keeps the thread's event loop busy."""
    with chromium() as found:
        yield found


def address(run: moot.Run) -> str:
    return (run.path / "report.html").resolve().as_uri()


def opened(page: Page, run: moot.Run) -> list[str]:
    """Show the report with everything unfolded; the addresses that were asked for meanwhile."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.goto(address(run), wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    page.evaluate(DRAWN)
    return asked


def test_the_policy_stops_scripts(browser: Browser, runs: Runs, tmp_path: Path) -> None:
    text = (runs.plain.path / "report.html").read_text("utf-8")
    changed = tmp_path / "report.html"
    changed.write_text(text.replace("<footer>", "<script>document.title = 'pwned'</script><footer>"), "utf-8")
    page = browser.new_page()
    page.goto(changed.as_uri())
    assert "pwned" not in page.title()
    assert page.locator("[data-replay]:visible").count() == 2, "but for the one that plays the debate back"
    page.close()


def test_no_element_is_added_and_none_is_hidden(browser: Browser, runs: Runs) -> None:
    outlines = []
    for run in (runs.plain, runs.hostile):
        page = browser.new_page()
        opened(page, run)
        outlines.append(page.evaluate(OUTLINE))
        assert page.locator("h1").count() == 1
        assert page.locator("#verdict").is_visible()
        assert page.locator("#receipt").is_visible()
        page.close()
    assert outlines[1] == outlines[0]


@pytest.mark.parametrize("name", ["duel", "arena", "panel", "persuasion", "chaired"])
@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_the_page_of_every_protocol_fits_the_screen_and_runs_nothing(
    browser: Browser, worst: dict[str, moot.Run], name: str, width: int, scheme: str
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=True,
    )
    asked = opened(page, worst[name])
    assert [url for url in asked if not url.startswith("data:")] == [address(worst[name])]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 22, 26)" if scheme == "dark" else "rgb(250, 249, 246)")
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert page.locator("h1").count() == 1
    parts = ("#verdict", "#receipt", *(("#redacted", "#sources", "#audience") if name == "chaired" else ()))
    assert all(page.locator(part).is_visible() for part in parts)
    page.close()
