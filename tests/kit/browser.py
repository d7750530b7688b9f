"""The browser of the tests: found and started here alone. It tells what went wrong on a page, and asks axe.

    python -m tests.kit.browser    starts it once: its path and version, or an error

MOOT_BROWSER names another program. Without one the tests that want it are skipped, which in CI is a failure.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.kit import waiting

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu"]
PATIENCE = 1000 * waiting.PATIENCE
"""The same in milliseconds."""
expect.set_options(timeout=PATIENCE)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def find_browser() -> str:
    """The program: the one that MOOT_BROWSER names, else the first of those that are usual."""
    names = [named] if (named := os.environ.get("MOOT_BROWSER")) else NAMES
    for name in names:
        if found := shutil.which(name):
            return found
    raise FileNotFoundError(f"no browser on PATH: looked for {', '.join(names)}")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser of its own. Playwright keeps the event loop of the thread busy while it is there."""
    try:
        program = find_browser()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    with started(program) as browser:
        yield browser


@contextmanager
def started(program: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, *, expected: tuple[str, ...] = (), **settings: Any) -> Iterator[Page]:
    """A page of its own. It fails the test when a script fails, the policy is violated or anything is missing, but for
    complaints that have one of the `expected` texts in them. A test that fails prints what the page showed."""
    # A page that is still on its way to the field that was filled in last moves away under a click.
    still = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
    context = browser.new_context(**{**still, **settings})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"{message.text} {message.location.get('url', '')}")

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
    refused: list[str] = []
    page.on("response", lambda one: refused.append(f"{one.status} {one.url}") if one.status >= 400 else None)
    try:
        yield page
    except BaseException:
        with suppress(Error):
            sys.stdout.write(
                "\n".join([f"the page at {page.url}", *complaints, *refused, page.inner_text("body")[:4000]])
            )
        raise
    finally:
        context.close()
    unexpected = [one for one in complaints if not any(text in one for text in expected)]
    assert unexpected == [], unexpected


def settle(page: Page) -> None:
    """Wait until nothing on the page is about to change, and so to move away under a click."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


ASK_AXE = """async ([tags, contrast]) => {
    // Only what is wrong is put together and told; preloading is for a rule that is not among these.
    const told = {resultTypes: ["violations"], preload: false};
    const rules = {"color-contrast": {enabled: false}};
    const all = await axe.run(document, {...told, runOnly: {type: "tag", values: tags}, rules});
    if (all.passes.length < 5) throw new Error("axe has checked next to nothing");
    if (!contrast) return all.violations;
    // To compare a text with what is behind it is most of the work, so of texts that look alike one is asked about.
    const behind = new Map([[null, ""]]), looks = new Map();
    const layers = (one) => {
        if (!behind.has(one)) {
            const style = getComputedStyle(one);
            const layer = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join(" ");
            const plain = layer === "rgba(0, 0, 0, 0) none 1 none";
            behind.set(one, layers(one.parentElement) + (plain ? "" : layer + "/"));
        }
        return behind.get(one);
    };
    for (const one of document.body.querySelectorAll("*")) {
        const own = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!(own || one.matches("input, select, textarea")) || !one.checkVisibility()) continue;
        const {color, fontSize, fontWeight, position, textShadow} = getComputedStyle(one);
        const look = [one.tagName, one.className, color, fontSize, fontWeight, position, textShadow, layers(one)];
        if (!looks.has(String(look))) looks.set(String(look), one);
    }
    if (!looks.size) throw new Error("there is no text on the page");
    const only = {type: "rule", values: ["color-contrast"]};
    const pale = await axe.run({include: [...looks.values()]}, {...told, runOnly: only});
    return [...all.violations, ...pale.violations];
}"""


def faults_of(page: Page, *, contrast: bool = True) -> list[str]:
    """What axe finds against WCAG AA. The colours can be left out where the same parts are on another page that is
    checked in the same colours."""
    found = find_spec("axe_playwright_python")
    assert found, "axe comes with axe-playwright-python, which is among the development dependencies"
    assert found.origin
    if not page.evaluate("'axe' in window"):
        page.evaluate((Path(found.origin).parent / "axe.min.js").read_text("utf-8"))
    settle(page)  # what is being made anew is pale until it is there
    violations = page.evaluate(ASK_AXE, [RULES, contrast])
    return [f"{one['id']}: {one['help']} at {[node['target'] for node in one['nodes']][:3]}" for one in violations]


def kept(page: Page, name: str) -> None:
    """Keep a picture of the page in the folder that MOOT_SCREENSHOTS names, for whoever wants to look at it."""
    if folder := os.environ.get("MOOT_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")


def unfold(page: Page) -> None:
    """Open the parts of a form that are folded."""
    for fold in page.locator(".fold:not([open])").element_handles():
        summary = fold.query_selector("summary")
        assert summary
        summary.click()


def seqs(page: Page) -> list[int]:
    """The entries on the page, in their order."""
    return [int(one) for one in page.eval_on_selector_all("#entries .entry", "all => all.map(one => one.dataset.seq)")]


def fits(page: Page) -> bool:
    """Whether nothing falls off the screen to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


if __name__ == "__main__":
    program = find_browser()
    with started(program) as browser:
        sys.stdout.write(f"{program} {browser.version}\n")
