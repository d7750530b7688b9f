"""Batches in a real browser: they fit, are accessible, show their progress by themselves, and lead into their runs."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from moot.studies.batch import write_documents
from tests.kit.batches import TOPICS, answering, made, ran, write_grid
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.servers import elsewhere, serving

pytestmark = pytest.mark.browser
SCREENS = [(1440, "light"), (390, "dark")]


def test_a_batch_shows_its_progress_and_leads_into_its_runs(browser: Browser, tmp_path: Path) -> None:
    long = [*TOPICS["topic"][:5], "Case 6, which has so many words that no list of choices on a phone is as wide?"]
    batch = made(write_grid(tmp_path, grid={"topic": long}), tmp_path / "runs" / "drinks")
    with serving(tmp_path / "runs") as site, opened(browser) as page:
        with batch.hold() as ledger:
            page.goto(site.url)
            page.get_by_role("link", name="grid.yaml").click()
            progress = page.locator("#progress")
            expect(progress).to_contain_text("0 of 6 debates done")
            ledger.began(batch.items()[0])
            expect(progress).to_contain_text("1 running")
        elsewhere(lambda: ran(batch, answering()))
        elsewhere(lambda: write_documents(batch))
        expect(progress).to_contain_text("6 of 6 debates done")
        expect(page.get_by_role("heading", name="Win rates by persona")).to_be_visible()
        page.get_by_label("Words").fill("3? case")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_text("1 of 6")).to_be_visible()
        page.locator("table.debates th a").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Case 3?")
        for width, scheme in SCREENS:
            with opened(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as other:
                for path in ("/", "/studies/drinks"):
                    other.goto(f"{site.url}{path}")
                    kept(other, f"study-{width}-{scheme}")
                    places = [box["x"] for one in ("h1", ".brand") if (box := other.locator(one).bounding_box())]
                    assert len(places) == 2 and places[0] == places[1], "one grid for all pages"
                    assert fits(other)
                    assert faults_of(other, contrast=path != "/") == []
