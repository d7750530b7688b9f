"""A Chromium that tells what went wrong on a page, and axe."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@contextmanager
def chromium() -> Iterator[Browser]:
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None and not os.environ.get("CI"):
        pytest.skip(f"none of {', '.join(NAMES)} is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, *, expected: tuple[str, ...] = (), **settings: Any) -> Iterator[Page]:
    """A page of its own. It fails the test when a script fails, the policy is violated or anything is missing, but for
    complaints that have one of the `expected` texts in them."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"{message.text} {message.location.get('url', '')}")

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
    try:
        yield page
    finally:
        context.close()
    assert [one for one in complaints if not any(text in one for text in expected)] == []


def faults_of(page: Page) -> list[str]:
    """What axe finds against WCAG AA."""
    found = find_spec("axe_playwright_python")
    assert found, "axe comes with axe-playwright-python, which is among the development dependencies"
    assert found.origin
    if not page.evaluate("'axe' in window"):
        page.evaluate((Path(found.origin).parent / "axe.min.js").read_text("utf-8"))
    # Only what is wrong is put together and told: of a large page, all that is right is most of the work.
    violations = page.evaluate(
        """async rules => {
            const options = {runOnly: {type: "tag", values: rules}, resultTypes: ["violations"]};
            const told = await axe.run(document, options);
            if (told.passes.length < 5) throw new Error("axe has checked next to nothing");
            return told.violations;
        }""",
        RULES,
    )
    return [f"{one['id']}: {one['help']} at {[node['target'] for node in one['nodes']][:3]}" for one in violations]


def kept(page: Page, name: str, folder: Path) -> None:
    """Keep a picture of the page, for whoever wants to look at it."""
    where = Path(os.environ.get("MOOT_SCREENSHOTS") or folder)
    where.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=where / f"{name}.png")


def seqs(page: Page) -> list[int]:
    """The entries on the page, in their order."""
    return [int(one) for one in page.eval_on_selector_all("#entries .entry", "all => all.map(one => one.dataset.seq)")]


def fits(page: Page) -> bool:
    """Whether nothing falls off the screen to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
