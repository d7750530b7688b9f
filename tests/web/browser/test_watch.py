"""Watching a debate in a real browser: as it is written, through reloads and restarts, and at its worst."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

import moot
from moot.testing import Scripted
from tests.kit.browser import faults_of, fits, kept, opened, seqs, unfold
from tests.kit.chaired import ABSENT, config_of, model_of, turn
from tests.kit.command import read_until, spawn
from tests.kit.duels import replied
from tests.kit.hostile import WORST
from tests.kit.players import PLAYER, Player, plain
from tests.kit.servers import Site, copied, endpoint, reserved_port, serving
from tests.kit.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.browser
LOST = ("net::ERR_",)
"""How a connection is lost depends on when the server dies."""
DONE = "#state[data-ended=done]"


@pytest.fixture(scope="module")
def player() -> Player:
    return Player()


@pytest.fixture(scope="module")
def runs(finished: dict[str, moot.Run], tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    return copied(finished, tmp_path_factory.mktemp("watched") / "runs")


@pytest.fixture(scope="module")
def site(runs: dict[str, moot.Run], player: Player) -> Iterator[Site]:
    with serving(runs["duel"].path.parent, models={PLAYER: player}) as served:
        yield served


def begin(site: Site, topic: str = "Is it so?", turns: int = 4, model: str = PLAYER) -> str:
    return str(site.do(site.host.start(moot.configure("duel", topic=topic, turns=turns, model=model, seed=1))))


def address(site: Site, name: str) -> str:
    return f"{site.url}/runs/{name}/watch"


def all_of(site: Site, name: str) -> list[int]:
    return [entry.seq for entry in site.host.find(name).readable()]


def test_reload_and_second_tab_miss_nothing_and_repeat_nothing(browser: Browser, site: Site, player: Player) -> None:
    for key in ("A/turn/1", "A/turn/3"):
        player.hold(key)
    name = begin(site)
    with opened(browser) as one, opened(browser) as two:
        one.goto(address(site, name))
        one.wait_for_selector(".typing[data-key='A/turn/1']")
        expect(one.locator("#entries .entry")).to_have_count(4)
        before = seqs(one)
        one.reload()
        assert seqs(one) == before
        player.let_go("A/turn/1")
        one.wait_for_selector(".typing[data-key='A/turn/3']")
        two.goto(address(site, name))
        two.wait_for_selector(".typing[data-key='A/turn/3']")
        one.reload()
        player.let_go("A/turn/3")
        for page in (one, two):
            page.wait_for_selector(DONE)
            expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
            assert seqs(page) == all_of(site, name)
            outlined = page.eval_on_selector_all("#outline [data-seq]", "all => all.map(one => one.dataset.seq)")
            assert len(outlined) == len(set(outlined))


@contextmanager
def served(folder: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    with spawn("serve", "--out", str(folder), "--port", str(port), stderr=subprocess.STDOUT) as started:
        try:
            assert started.stdout
            assert "Serving" in read_until(started.stdout, "Serving")
            yield started
        finally:
            started.kill()


def test_a_server_that_is_killed_and_comes_back(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reserved_port() as port, endpoint() as model, opened(browser, expected=LOST) as page:
        monkeypatch.setenv("HELD_BASE_URL", model.url)
        model.hold(8)
        with served(tmp_path / "runs", port) as server:
            url = f"http://127.0.0.1:{port}"
            asked = {"protocol": "duel", "topic": "Is it so?", "model": "held/one", "settings": {"turns": 4}}
            made = httpx.post(f"{url}/api/runs", json=asked, timeout=PATIENCE).raise_for_status().json()
            page.goto(f"{url}/runs/{made['name']}/watch")
            page.wait_for_selector("#entries .entry >> nth=4")
            server.kill()
            expect(page.locator("[data-working]")).to_contain_text("connection is lost")
        model.let_go()
        with served(tmp_path / "runs", port):
            page.wait_for_selector("text=Stopped")
            before = seqs(page)
            assert before == list(range(len(before)))
            page.click("text=Resume")
            page.wait_for_selector(DONE)
            run = moot.Run(tmp_path / "runs" / made["name"])
            expect(page.locator("#entries .entry")).to_have_count(len(run.entries()))
            assert seqs(page) == [entry.seq for entry in run.entries()]
    assert moot.verify(run).faults == []


def test_stopped_and_resumed_in_another_tab(browser: Browser, site: Site, player: Player) -> None:
    player.hold("B/turn/2")
    name = begin(site)
    with opened(browser) as one, opened(browser) as two:
        for page in (one, two):
            page.goto(address(site, name))
            page.wait_for_selector(".typing[data-key='B/turn/2']")
        one.click("text=Stop it")
        for page in (one, two):
            page.wait_for_selector("text=Stopped")
        player.let_go("B/turn/2")
        two.click("text=Resume")
        for page in (one, two):
            page.wait_for_selector(DONE)
            expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
            assert seqs(page) == all_of(site, name)


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tab_that_was_hidden_shows_who_speaks_now_and_listens_once(
    browser: Browser, site: Site, player: Player
) -> None:
    for key in ("judge@verdict/confirm", "judge/announce"):
        player.hold(key)
    name = begin(site, turns=2)
    with opened(browser) as page:
        page.goto(address(site, name))
        page.wait_for_selector(".typing[data-key='judge@verdict/confirm']")
        page.evaluate(HIDE, True)
        player.let_go("judge@verdict/confirm")
        wait_until(lambda: "judge@verdict/extract" in replied(site.host.find(name)))
        page.evaluate(HIDE, False)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        page.wait_for_selector(".typing[data-key='judge/announce']")
        expect(page.locator(".typing")).to_have_count(1)
        wait_until(lambda: site.app.state.followers.taken == 1)
        player.let_go("judge/announce")
        page.wait_for_selector(DONE)
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
        assert seqs(page) == all_of(site, name)


SCROLL = """async to => {
    scrollTo({ top: to, behavior: "instant" });
    // The page is told of it with the next picture, before that is drawn.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}"""


def tall(request: moot.Request) -> Scripted:
    return "1\n2\n3\n4\n5\n6\nAnd so on." if request.schema is None else plain(request)


def test_the_end_stays_in_sight_until_one_scrolls_away(browser: Browser, tmp_path: Path) -> None:
    player = Player(tall)
    for key in ("A/turn/1", "B/turn/2", "judge/deliberate"):
        player.hold(key)
    size = {"width": 1280, "height": 700}
    with serving(tmp_path, models={PLAYER: player}) as site, opened(browser, viewport=size) as page:
        name = begin(site, turns=2)
        page.goto(address(site, name))
        page.wait_for_selector(".typing[data-key='A/turn/1']")
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
        page.evaluate(SCROLL, page.evaluate("document.body.scrollHeight"))
        player.let_go("A/turn/1")
        page.wait_for_selector(".typing[data-key='B/turn/2']")
        player.let_go("B/turn/2")
        page.wait_for_selector(".typing[data-key='judge/deliberate']")
        expect(page.locator("#now")).to_be_in_viewport()
        expect(page.locator("#newer")).to_be_hidden()
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
        page.evaluate(SCROLL, 0)
        player.let_go("judge/deliberate")
        page.wait_for_selector(DONE)
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))
        expect(page.locator("#newer")).to_have_text("New entries below")
        assert page.evaluate("scrollY") == 0


def test_a_debate_that_met_its_limit_goes_on_with_another(browser: Browser, site: Site) -> None:
    config = moot.configure("duel", topic="Is it so?", turns=2, model=PLAYER, seed=1, max_calls=5)
    name = site.do(site.host.start(config))
    with opened(browser, expected=("status of 422",)) as page:
        page.goto(address(site, name))
        page.wait_for_selector("#state[data-ended=limit]")
        page.fill("[name=max_calls]", "many")
        page.click("text=Resume")
        expect(page.locator("[role=alert]")).to_contain_text("a whole number")
        page.fill("[name=max_calls]", "50")
        page.click("text=Resume")
        page.wait_for_selector(DONE)
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))


def test_the_map_and_the_transcript_lead_to_each_other(
    browser: Browser, site: Site, runs: dict[str, moot.Run], tmp_path: Path
) -> None:
    with opened(browser) as page:
        page.goto(address(site, runs["persuasion"].name))
        links = page.locator("#map a")
        assert links.count() == page.locator("#map .am-arg").count() >= 5
        wanted = links.nth(1).get_attribute("href") or ""
        links.nth(1).focus()
        page.keyboard.press("Enter")
        expect(page.locator(wanted)).to_have_class(re.compile("current"))
        expect(page.locator(wanted)).to_be_in_viewport()
        assert page.evaluate("document.activeElement.id") == wanted[1:]
        expect(page.locator("#inspector h2")).to_have_text(f"Entry {wanted[2:]}")
        other = links.nth(3)
        page.click(f"{other.get_attribute('href')} a.seq >> nth=-1")
        expect(other.locator(".am-arg")).to_have_class(re.compile("am-current"))
        expect(page.locator("#map .am-current")).to_have_count(
            page.locator(f"#map a[href='{other.get_attribute('href')}']").count()
        )
        page.locator("#entries a.arg").first.click()
        assert page.locator("#map marker path, #map marker circle").count() >= 3
        page.click("text=The map in text")
        expect(page.locator("#figures .map-section pre")).to_contain_text("A1")
        assert page.locator("#figures table tbody tr").count() >= links.count()
        kept(page, "map-1280")


def test_the_map_is_moved_and_zoomed_by_keys_and_pointer(
    browser: Browser, site: Site, runs: dict[str, moot.Run]
) -> None:
    with opened(browser) as page:
        page.goto(address(site, runs["persuasion"].name))

        def view() -> list[float]:
            return [float(one) for one in (page.get_attribute("#map svg", "viewBox") or "").split()]

        page.focus("#map")
        page.keyboard.press("0")
        whole = view()
        page.keyboard.press("+")
        assert view()[2] < whole[2]
        page.keyboard.press("ArrowRight")
        right = view()
        assert right[0] > 0
        page.keyboard.press("-")
        page.keyboard.press("0")
        assert view() == whole
        box = page.locator("#map").bounding_box()
        assert box
        page.mouse.move(box["x"] + 40, box["y"] + box["height"] - 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + box["height"] - 30, steps=4)
        page.mouse.up()
        assert view()[0] < 0
        page.click("[data-map=fit]")
        assert view() == whole
        page.keyboard.press("m")
        assert page.get_attribute("[data-map=wide]", "aria-pressed") == "true"
        wider = page.locator("#map").bounding_box()
        assert wider
        assert wider["width"] > box["width"] * 1.3
        page.keyboard.press("m")


def test_keys_and_the_inspector(browser: Browser, site: Site, runs: dict[str, moot.Run]) -> None:
    with opened(browser) as page:
        page.goto(address(site, runs["duel"].name))
        turn = next(
            entry for entry in runs["duel"].entries() if entry.type == "turn" and entry.rebuttal_to_seq is not None
        )
        for _ in range(turn.seq + 1):
            page.keyboard.press("j")
        expect(page.locator(f"#e{turn.seq}")).to_have_class(re.compile("current"))
        expect(page.locator("#inspector h2")).to_have_text(f"Entry {turn.seq}")
        told = page.inner_text("#inspector")
        for part in ("turn", turn.speaker, turn.phase, str(turn.call), f"#{turn.rebuttal_to_seq}", " in, ", " out"):
            assert part in told
        assert "Statement 2, by B.\nIn two lines." in page.inner_text("#inspector .reply")
        page.keyboard.press("k")
        expect(page.locator(f"#e{turn.seq - 1}")).to_have_class(re.compile("current"))
        assert page.url.endswith(f"?entry={turn.seq - 1}#e{turn.seq - 1}")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("Escape")
        page.fill("#note", "")
        page.focus("#note")
        page.keyboard.type("jokm?")
        assert page.input_value("#note") == "jokm?"
        assert page.url.endswith(f"#e{turn.seq - 1}")
        assert not page.locator("#keys").is_visible()
        page.reload()
        expect(page.locator("#inspector h2")).to_have_text(f"Entry {turn.seq - 1}")


def test_without_scripts_all_of_it_can_be_read(browser: Browser, site: Site, runs: dict[str, moot.Run]) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(address(site, runs["panel"].name))
        assert page.locator("#entries .entry").count() == len(runs["panel"].readable())
        page.locator("#entries a.seq[href*=entry]").nth(3).click()
        expect(page.locator("#inspector h2")).to_have_text(re.compile(r"Entry \d+"))
        expect(page.locator("#figures svg")).to_be_visible()
        expect(page.locator("#outline a").first).to_be_visible()


FIGURES = {"duel": "Scores, turn by turn", "panel": "Agreement, round by round", "persuasion": "Argument map"}


@pytest.mark.parametrize(
    ("protocol", "width", "scheme"), [("duel", 1280, "light"), ("panel", 1280, "dark"), ("persuasion", 360, "dark")]
)
def test_it_is_for_everybody(
    browser: Browser, site: Site, runs: dict[str, moot.Run], tmp_path: Path, protocol: str, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 900}
    with opened(browser, color_scheme=scheme, reduced_motion="reduce", viewport=size) as page:
        page.goto(address(site, runs[protocol].name))
        panel = page.locator(".side-panel")
        if width == 360:
            assert not page.locator("#figures").is_visible()
            expect(page.locator("#entries .entry").first).to_be_visible()
            panel.locator("> summary").click()
            page.locator(".outline-panel > summary").click()
        expect(page.locator("#figures")).to_be_visible()
        assert FIGURES.get(protocol, "") in page.inner_text("#figures")
        page.evaluate("document.querySelectorAll('#entries details').forEach(one => one.open = true)")
        assert fits(page)
        assert faults_of(page) == []
        kept(page, f"{protocol}-{width}-{scheme}")


def test_a_thousand_entries(browser: Browser, long_run: moot.Run) -> None:
    with serving(long_run.path.parent) as site, opened(browser) as page:
        page.goto(address(site, long_run.name))
        expect(page.locator("#entries .entry")).to_have_count(1005)
        assert seqs(page) == list(range(1005))
        style = page.eval_on_selector("#e500", "one => getComputedStyle(one).contentVisibility")
        assert style == "auto"
        page.click("#outline a[href='#e700'], #outline a[href='#e701'], #outline a[href='#e702'] >> nth=0")
        page.wait_for_function("() => scrollY > 10_000")
        for _ in range(30):
            page.mouse.wheel(0, 3000)
        page.evaluate("document.getElementById('e1004').scrollIntoView()")
        expect(page.locator("#e1004")).to_be_in_viewport()


def test_what_is_struck_goes_from_the_page_too(browser: Browser, tmp_path: Path) -> None:
    invented = turn("opening_statement", "Words that will be struck.", ABSENT)
    script = model_of({"promoter@opening/turn": invented}).script
    assert callable(script)
    player = Player(script)
    player.hold("detractor@opening/turn")
    with serving(tmp_path / "runs", models={PLAYER: player}) as site, opened(browser) as page:
        name = site.do(site.host.start(config_of(tmp_path, model=PLAYER)))
        page.goto(address(site, name))
        expect(page.locator("#entries")).to_contain_text("Words that will be struck.")
        player.let_go("detractor@opening/turn")
        page.wait_for_selector(DONE)
        expect(page.locator("#entries")).not_to_contain_text("Words that will be struck.")
        expect(page.locator("#entries .entry")).to_have_count(len(all_of(site, name)))


def hostile(request: moot.Request) -> Scripted:
    return WORST if request.schema is None else plain(request)


def test_hostile_text_is_only_text(browser: Browser, tmp_path: Path) -> None:
    player = Player(hostile)
    player.hold("B/turn/2")
    topic = "<img src=x onerror='window.pwned=1'> </title><script>window.pwned=1</script> {{7*7}}"
    with serving(tmp_path, models={PLAYER: player}) as site, opened(browser) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site.url}/start")
        unfold(page)
        page.fill("[name=topic]", topic)
        page.fill("[name='duel.claim']", topic)
        page.fill("[name='duel.turns']", "2")
        page.fill("[name=model]", PLAYER)
        page.wait_for_selector("[data-plan=calls]")
        page.click("text=Start the debate")
        page.wait_for_selector(".typing[data-key='B/turn/2']")
        assert topic in page.inner_text("h1")
        player.let_go("B/turn/2")
        page.wait_for_selector(DONE)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        for _ in range(8):
            page.keyboard.press("j")
        page.wait_for_selector("#inspector .reply")
        site.do(
            site.host.append(page.url.split("/")[-2], phase="verdict", speaker="<b>x</b>", type="note", content=WORST)
        )
        page.reload()
        assert page.evaluate("typeof window.pwned") == "undefined"
        assert page.locator("#entries script, #entries img, #entries style, #entries [onerror]").count() == 0
        assert [url for url in asked if not url.startswith((site.url, "data:"))] == []
