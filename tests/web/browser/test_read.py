"""The pages for readers in a real browser: at every width and in both schemes, by keyboard alone, at their worst."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import moot
from moot.engine.define.shipped import FOLDERS, OFFERED, SHELF
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.library import Runs, pages_about, remembered
from tests.kit.servers import Site, copied, serving

pytestmark = pytest.mark.browser
COLOURED = ("gallery", "duel", "as an agent", "contest", "compare", "leaderboard")
"""Pages that have all the colours of the others."""


@pytest.fixture(scope="module")
def runs(shelves: Runs, long_run: moot.Run, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return copied({**shelves, "long": long_run}, tmp_path_factory.mktemp("library") / "runs")


@pytest.fixture(scope="module")
def site(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    memory = remembered(tmp_path_factory.mktemp("memory") / "memory.db")
    with serving(runs["duel"].path.parent, memory=str(memory)) as served:
        yield served


def shown(runs: Runs) -> dict[str, str]:
    """One page of each kind, by its name."""
    read = {name: f"/runs/{runs[name].name}" for name in (*OFFERED, "stopped")}
    duel, contest = (f"/runs/{runs[name].name}" for name in ("duel", "persuasion"))
    return {
        "gallery": "/?query=is+it+so",
        **read,
        "duel": f"{duel}?check=1",
        "as an agent": f"{duel}/as/A?at=5",
        "contest": f"{contest}/contest?strike=A3",
        "compare": f"/compare?a={runs['duel'].name}&b={runs['fork'].name}",
        "compare with": f"/compare?a={runs['duel'].name}",
        "leaderboard": "/leaderboard",
    }


def test_every_page_is_accessible_fits_and_stands_on_one_grid(browser: Browser, site: Site, runs: Runs) -> None:
    """What the pages of protocols on the shelf are made of is on those of others as well, and so are their colours."""
    places: dict[int, set[int]] = {width: set() for width in (1920, 1280, 1024, 390)}
    others = {"start": "/start", "watch": f"/runs/{runs['duel'].name}/watch"}  # whose own tests ask axe
    with opened(browser) as page:
        for name, path in (shown(runs) | others).items():
            page.emulate_media(color_scheme="light")
            page.goto(f"{site.url}{path}")
            assert page.locator("h1").count() == 1, name
            assert page.locator("main").count() == 1, name
            for width, found in places.items():
                page.set_viewport_size({"width": width, "height": 900})
                assert fits(page), (name, width)
                boxes = [page.locator(one).first.bounding_box() for one in (".brand", "h1")]
                found |= {round(box["x"]) for box in boxes if box}
                if width == 1280:
                    kept(page, f"{name.replace(' ', '-')}-{width}-light")
                    assert name in others or faults_of(page, contrast=name in (*COLOURED, *FOLDERS)) == [], name
            page.emulate_media(color_scheme="dark")
            kept(page, f"{name.replace(' ', '-')}-390-dark")
            assert name in (*others, *SHELF) or faults_of(page, contrast=name in COLOURED) == [], name
    assert [len(found) for found in places.values()] == [1] * 4, "the navigation and the titles begin at one place"


def test_hostile_text_runs_nothing_and_fetches_nothing(browser: Browser, site: Site, runs: Runs) -> None:
    worst = runs["hostile"], runs["hostile arena"]
    paths = ["/", f"/compare?a={worst[0].name}", f"/compare?a={worst[0].name}&b={worst[1].name}"]
    with opened(browser, viewport={"width": 390, "height": 800}) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for path in [*paths, *pages_about(worst[0]), *pages_about(worst[1])]:
            page.goto(f"{site.url}{path}")
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert page.evaluate("typeof window.pwned") == "undefined", path
            assert page.url == f"{site.url}{path}"
            assert page.locator("main").is_visible()
            assert fits(page), path
        assert all(url.startswith((site.url, "data:,")) for url in asked)


def focused(page: Page) -> tuple[str, str]:
    """What has the focus: its element and its name."""
    told = "one => [one.tagName.toUpperCase(), one.getAttribute('aria-label') || one.textContent.trim()]"
    tag, name = page.evaluate(f"({told})(document.activeElement)")
    return tag, name


def tab_to(page: Page, label: str, tag: str = "A") -> None:
    """Press Tab until that has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if focused(page) == (tag, label):
            return
    raise AssertionError(f"Tab does not come to {label!r}")


def test_a_verdict_is_contested_by_keyboard_alone(browser: Browser, site: Site, runs: Runs) -> None:
    run = runs["persuasion"]
    with opened(browser) as page:
        page.goto(f"{site.url}/runs/{run.name}")
        tab_to(page, "Contest it")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("What if this did not hold?")
        expect(page.locator("#moved")).to_contain_text("he case for it is stronger")
        tab_to(page, "Strike A3")
        page.keyboard.press("Enter")
        expect(page.locator(".then-now")).to_contain_text("he case against it is stronger moved")
        assert page.url.endswith("?strike=A3#moved")
        assert moot.contest(run, reject=["A3"]).after == "OPP"
        tab_to(page, "Put A3 back")
        page.keyboard.press("Enter")
        expect(page.locator("#moved")).to_contain_text("Nothing is struck yet")
        tab_to(page, "Strike A6", "INPUT")
        page.keyboard.press("Space")
        tab_to(page, "See what moves", "BUTTON")
        page.keyboard.press("Enter")
        page.wait_for_url("**/contest?strike=A6")


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_map_fits_folds_and_is_struck_where_it_is_read(
    browser: Browser, site: Site, runs: Runs, tmp_path: Path, width: int, scheme: str
) -> None:
    """The verdict is that of the page that contests it, and the run stays as it is."""
    path = f"/runs/{runs['persuasion'].name}"
    with opened(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
        page.goto(f"{site.url}{path}")
        box = page.locator(".map-box")
        expect(box).to_be_visible()
        verdict, drawn = page.locator("main > .verdict").bounding_box(), box.bounding_box()
        assert verdict and drawn
        if width > 1024:
            assert drawn["x"] + drawn["width"] <= verdict["x"], "beside the verdict, and before it"
            assert verdict["x"] + verdict["width"] <= width
        else:
            assert verdict["x"] <= drawn["x"] + 1 and drawn["width"] <= verdict["width"] + 1
        whole = box.locator("svg").get_attribute("viewBox")
        page.get_by_role("button", name="Zoom in").click()
        assert box.locator("svg").get_attribute("viewBox") != whole
        page.get_by_role("button", name="Fit").click()
        svg, fitted = box.locator("svg"), (box.locator("svg").get_attribute("viewBox") or "").split()
        assert fitted == ["0", "0", svg.get_attribute("width"), svg.get_attribute("height")]
        arguments = box.locator(".am-arg:visible")
        every = arguments.count()
        fold = page.get_by_role("button", name="What bears on A1")
        fold.focus()
        page.keyboard.press("Enter")
        expect(fold).to_have_attribute("aria-expanded", "false")
        assert 1 <= arguments.count() < every
        page.keyboard.press("Enter")
        assert arguments.count() == every
        page.get_by_role("button", name="Strike arguments here").click()
        page.get_by_role("link", name="Strike A3", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="Put A3 back", exact=True)).to_be_focused()
        told = page.locator(".struck-here .headline").all_inner_texts()
        kept(page, f"struck-here-{width}-{scheme}")
        assert fits(page)
        assert faults_of(page) == []
        assert page.url == f"{site.url}{path}"
        page.get_by_role("button", name="Back to the debate").click()
        expect(page.locator(".struck-here")).to_have_count(0)
        assert arguments.count() == every
        page.goto(f"{site.url}{path}/contest?strike=A3")
        assert page.locator("#moved .headline").all_inner_texts() == told


def test_one_steps_through_a_debate_as_an_agent(browser: Browser, site: Site, runs: Runs) -> None:
    with opened(browser) as page:
        page.goto(f"{site.url}/runs/{runs['duel'].name}")
        page.get_by_role("link", name="View as Ada").click()
        page.select_option("#at", index=0)
        page.get_by_role("button", name="Go there").click()
        expect(page.locator("pre.reply")).to_have_text("Ada plans – “für alle”.")
        page.get_by_role("link", name="Forward to").click()
        expect(page.get_by_role("heading", name="New at this turn")).to_be_visible()
        expect(page.locator("pre.reply").last).to_have_text("Thought 1 of A.")
        page.get_by_role("link", name="Kim").click()
        expect(page.locator("h1")).to_have_text("As Kim saw it")
        page.go_back()
        page.get_by_role("link", name="Back to").click()
        expect(page.locator("pre.reply")).to_have_text("Ada plans – “für alle”.")
