"""For tests in a browser: a model that stops where it is told to, a Chromium that tells what went wrong, and axe."""

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

import moot
from moot.structured import instance_of
from moot.testing import Scripted

PLAYER = "staged/one"
NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def plain(request: moot.Request) -> Scripted:
    """A sound reply to every call."""
    return f"Said at {request.key}." if request.schema is None else instance_of(request.schema)


@dataclass(slots=True)
class Player:
    """Says what `say` makes of a call. Where it is held it has said the first words, or most of what is
    JSON, and goes on when let go."""

    say: Callable[[moot.Request], Scripted] = plain
    name: str = PLAYER
    small: bool = False
    context_window: int | None = None
    pause: float = 0.0
    """Seconds in the middle of the first words, so that they come in two pieces."""
    _held: dict[str, threading.Event] = field(default_factory=dict)

    def hold(self, key: str) -> None:
        self._held[key] = threading.Event()

    def let_go(self, key: str) -> None:
        self._held[key].set()

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        said = self.say(request)
        assert isinstance(said, str | dict)
        text = said if isinstance(said, str) else json.dumps(said)
        begun = 12 if request.schema is None else 2 * len(text) // 3
        if on_text:
            on_text(text[: begun // 2])
            await asyncio.sleep(self.pause)
            on_text(text[begun // 2 : begun])
        while request.key in self._held and not self._held[request.key].is_set():  # noqa: ASYNC110 (another thread's)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        if on_text:
            on_text(text[begun:])
        return moot.ModelReply(text, usage=moot.Usage(input=10, cached=0, output=5, cost=0.001))


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
