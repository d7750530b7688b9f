"""The page of a batch in a real browser: nothing runs, nothing is fetched, nothing falls off the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from moot.studies.batch import Design, write_documents
from tests.kit.batches import answering, made, ran, write_grid
from tests.kit.browser import chromium

pytestmark = pytest.mark.browser
OUTSIDE = """[...document.querySelectorAll("svg")].flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text, rect, circle")].filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1;
    }).map(one => one.textContent || one.tagName);
})"""
"""Marks of plots that stand outside them."""


@pytest.fixture(scope="module")
def page_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    # With fewer than six topics there are no intervals, and so no plots of them.
    topics = [
        "<script>window.pwned = 1</script>" * 3,
        "Wide" * 60,
        *(f"Is it so, for the {one}th time?" for one in range(5)),
    ]
    file = write_grid(folder, grid={"topic": topics, "turns": [2, 5]}, answer=True)
    batch = made(file, folder / "batch", Design(swap_sides=True, swap_order=True))
    ran(batch, answering(lambda told: "Bo" if told.count("Statement 3") else "Ada"))
    write_documents(batch)
    return (batch.path / "report.html").resolve().as_uri()


@pytest.fixture(scope="module")
def browser(page_address: str) -> Iterator[Browser]:  # the debates first: Playwright keeps the event loop busy
    with chromium() as found:
        yield found


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (375, "dark")])
def test_the_page_is_quiet_and_fits(browser: Browser, page_address: str, width: int, scheme: str) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_address, wait_until="load")
    assert [url for url in asked if not url.startswith("data:")] == [page_address]
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("svg[role=img]").count() >= 5
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    widths = page.evaluate("[...document.querySelectorAll('#flags td:not(.n)')].map(one => one.clientWidth)")
    assert widths and min(widths) >= 170
    assert page.evaluate(OUTSIDE) == []
    page.close()


def test_the_page_stands_alone(page_address: str) -> None:
    text = Path(page_address.removeprefix("file://")).read_text("utf-8")
    assert "http://" not in text and "https://" not in text
