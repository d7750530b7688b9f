"""Going on from a debate in a real browser: copying, forking, tags, the bin and its undo."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.batches import answering
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.duels import MODEL
from tests.kit.library import Runs
from tests.kit.servers import copied, serving

pytestmark = pytest.mark.browser
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_going_on_from_a_debate(browser: Browser, shelves: Runs, tmp_path: Path) -> None:
    run = copied({"duel": shelves["duel"]}, tmp_path / "runs")["duel"]
    with serving(run.path.parent, models={MODEL: answering()}) as site, opened(browser, permissions=CLIPBOARD) as page:
        page.goto(f"{site.url}/runs/{run.name}")
        page.get_by_role("button", name="Copy as Markdown").click()
        expect(page.get_by_text("Copied as Markdown.")).to_be_visible()
        assert "Yes, on the reasons given (8 to 6)" in page.evaluate("navigator.clipboard.readText()")
        page.get_by_role("button", name="Copy the link").click()
        expect(page.get_by_text("The link is copied.")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == f"{site.url}/runs/{run.name}"
        page.get_by_label("With commas").fill("food, later")
        page.get_by_role("button", name="Keep").click()
        expect(page.locator(".tags .badge")).to_have_text(["food", "later"])
        with opened(browser, color_scheme="dark") as other:
            for path in (f"/runs/{run.name}#afterwards", "/?tag=food", f"/start?again={run.name}&swap=1", "/bin"):
                other.goto(f"{site.url}{path}")
                for width in (1440, 390):
                    other.set_viewport_size({"width": width, "height": 900})
                    kept(other, f"afterwards-{width}-dark")
                    assert fits(other), path
                assert faults_of(other) == [], path
        page.goto(f"{site.url}/runs/{run.name}#e7")
        expect(page.get_by_label("After entry")).to_have_value("7")
        page.get_by_role("button", name="Fork").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Is it so?")
        page.goto(f"{site.url}/runs/{run.name}")
        page.get_by_role("button", name="To the bin").click()
        expect(page.get_by_text(f"{run.name} is in the bin.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("Yes, on the reasons given (8 to 6)").first).to_be_visible()
