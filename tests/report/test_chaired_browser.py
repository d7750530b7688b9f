"""The page of a chaired debate in a real browser, with hostile texts in it: nothing runs, nothing leaves the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import moot
from tests.kit.browser import chromium
from tests.kit.chaired import ABSENT, GOOD, hold, turn

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror='window.pwned = 1'> </p></div><script>window.pwned = 1</script> " + "unbroken" * 60


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    answers = {
        "promoter@opening/turn": turn("opening_statement", HOSTILE, GOOD),
        "promoter@r1/turn": turn("new_point", f"Struck. {HOSTILE}", f"{ABSENT}/{'long' * 100}"),
        "audience@r1/questions": {"questions": [{"to": "detractor", "question": HOSTILE}]},
    }
    held, _ = hold(tmp_path_factory.mktemp("chaired"), answers)
    return held


@pytest.fixture(scope="module")
def browser(run: moot.Run) -> Iterator[Browser]:  # the debate first: Playwright keeps the thread's event loop busy
    with chromium() as found:
        yield found


@pytest.mark.parametrize("width", [1200, 375])
def test_it_fits_the_screen_and_nothing_runs(browser: Browser, run: moot.Run, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, bypass_csp=True)
    page.goto(Path(run.path / "report.html").resolve().as_uri(), wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert page.locator("h1").count() == 1
    for part in ("#verdict", "#redacted", "#sources", "#audience", "#receipt"):
        assert page.locator(part).is_visible()
    page.close()
