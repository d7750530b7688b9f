"""Taking part in a real browser: at a seat, which sees what its agent may know and no more, and as a reader."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import moot
from moot.testing import Scripted
from tests.kit.browser import faults_of, kept, opened, seqs, unfold
from tests.kit.players import PLAYER, Player, plain
from tests.kit.servers import Site, serving
from tests.kit.waiting import wait_until

pytestmark = pytest.mark.browser
DONE = "#state[data-ended=done]"
CANARY = "canary-of-a-private-thought"
REFUSED = ("status of 422", "status of 409")


def with_canaries(request: moot.Request) -> Scripted:
    if request.key.endswith("/relay"):
        return {"reason": "It is fair.", "numbers": [1]}
    private = any(part in request.key for part in ("/plan", "/think/"))
    return f"{CANARY} at {request.key}" if private else plain(request)


@pytest.fixture(scope="module")
def player() -> Player:
    return Player(with_canaries)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, player: Player) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("runs"), models={PLAYER: player}) as served:
        yield served


def begin(site: Site, protocol: str = "duel", **settings: Any) -> str:
    given: dict[str, Any] = {"topic": "Is it so?", "model": PLAYER, "seed": 1} | settings
    return str(site.do(site.host.start(moot.configure(protocol, **given))))


def say(page: Page, text: str) -> None:
    page.fill("form.answer textarea", text)
    page.click("form.answer button.primary")


def next_question(page: Page, key: str) -> None:
    page.wait_for_selector(f"#question[data-key='{key}']")


def test_a_person_judges_a_duel_and_sees_no_private_thought(browser: Browser, site: Site, tmp_path: Path) -> None:
    with opened(browser, expected=REFUSED) as page:
        page.goto(f"{site.url}/start")
        unfold(page)
        page.fill("[name=topic]", "Is it so?")
        page.fill("[name='duel.turns']", "2")
        page.fill("[name=model]", PLAYER)
        page.fill("[name='duel.role.judge']", "human/ann")
        page.click("text=Start the debate")
        page.wait_for_url("**/watch?seat=*")
        name = page.url.split("/")[-2]
        winner, _, judge = cast(site, name)
        next_question(page, "judge/evaluate/1")
        assert f"{judge}, add private notes" in page.inner_text("#question h2")
        assert "Your ledger" in page.inner_text("#question")
        assert faults_of(page) == []
        kept(page, "seat-1280")
        say(page, "A fair opening.")
        next_question(page, "judge/score/1")
        page.fill("input[name='f.1']", "eleven")
        page.fill("textarea[name='f.0']", "Because it was clear.")
        page.click("text=Send answer")
        expect(page.locator("#question .fault")).to_contain_text("a whole number from 0 to 10")
        assert page.input_value("textarea[name='f.0']") == "Because it was clear."
        page.fill("input[name='f.1']", "8")
        page.click("text=Send answer")
        next_question(page, "judge/evaluate/2")
        expect(page.locator(".scored .score").first).to_have_text("8 of 10")
        told = [page.content(), *followed(site, name, judge), *pieces(site, name, judge)]
        assert "A fair opening." in "".join(told)
        assert CANARY not in "".join(told)
        assert CANARY in "".join(pieces(site, name, None))
        judge_to_the_end(page, winner)
        page.wait_for_selector(DONE)
        # What was held back is told at the end, in its order, without a reload.
        expect(page.locator("#entries .entry")).to_have_count(len(site.host.find(name).entries()))
        assert CANARY in page.content()
        assert seqs(page) == [entry.seq for entry in site.host.find(name).entries()]
    outcome = json.loads(site.host.find(name).result_path.read_text("utf-8"))
    assert (outcome["winner"], outcome["scores"][winner]) == (winner, 8)


def judge_to_the_end(page: Page, winner: str) -> None:
    page.click("button:has-text('Skip')")
    next_question(page, "judge/score/2")
    page.fill("input[name='f.1']", "3")
    page.fill("textarea[name='f.0']", "Less clear.")
    page.click("text=Send answer")
    next_question(page, "judge/deliberate")
    say(page, "The first was better.")
    next_question(page, "judge@verdict/confirm")
    say(page, winner)
    next_question(page, "judge@verdict/extract")
    expect(page.locator("form.answer")).to_contain_text(f"Winner {winner}")
    page.fill("input[name='f.0.0']", "8")
    page.fill("input[name='f.0.1']", "3")
    page.click("text=Send answer")
    next_question(page, "judge/announce")
    say(page, "The first wins.")


def cast(site: Site, name: str) -> list[str]:
    header: Any = site.host.find(name).entries()[0].data
    return [one.name for one in header.cast]


def pieces(site: Site, name: str, seat: str | None) -> list[str]:
    """All that the server has to show of a debate to whoever sits there."""
    paths = ["", "/entries", "/figures", "/state", *(f"/inspect/{seq}" for seq in range(11))]
    with site.client() as client:
        return [client.get(f"/runs/{name}/watch{path}", params={"seat": seat} if seat else {}).text for path in paths]


def followed(site: Site, name: str, seat: str) -> list[str]:
    """What the seat is told by the API up to now."""
    told = []
    with site.client() as client, client.stream("GET", f"/api/runs/{name}/follow", params={"seat": seat}) as answer:
        for line in answer.iter_lines():
            told.append(line)
            if line == "event: awaiting":
                return told
    return told


def test_the_seat_waits_for_its_turn_and_a_reader_sees_who_is_waited_for(
    browser: Browser, site: Site, player: Player
) -> None:
    player.hold("A/turn/1")
    name = begin(site, turns=2, jury=0, roles={"B": "human/bo"})
    with opened(browser) as person, opened(browser) as reader:
        reader.goto(f"{site.url}/runs/{name}/watch")
        reader.click("text=Take the seat of")
        person.goto(f"{site.url}/runs/{name}/watch?seat=bo")
        next_question(person, "B/plan")
        say(person, "I shall be brief.")
        expect(person.locator("details.private")).to_have_count(1)
        expect(person.locator("form.answer")).to_have_count(0)
        reader.click("text=Leave the seat")
        player.let_go("A/turn/1")
        next_question(person, "B/think/2")
        expect(reader.locator("#standing")).to_contain_text(re.compile("waiting for", re.IGNORECASE))
        person.fill("form.answer textarea", "half a th")
        site.do(site.host.append(name, phase="opening", speaker="reader", type="note", content="A note."))
        reader.wait_for_selector("text=A note.")
        assert person.input_value("form.answer textarea") == "half a th"
        assert "A note." not in person.inner_text("#entries")
        person.evaluate("scrollTo(0, 0)")
        person.set_viewport_size({"width": 1280, "height": 420})
        expect(person.locator("#newer")).to_have_text("It is your turn")
        person.click("#newer")
        assert person.evaluate("document.activeElement.name") == "text"
        say(person, "Half a thought.")
        next_question(person, "B/turn/2")
        say(person, "So there.")
        for page in (person, reader):
            page.wait_for_selector(DONE)
            expect(page.locator("#entries")).to_contain_text("So there.")


def test_nothing_half_typed_is_lost(browser: Browser, site: Site) -> None:
    name = begin(site, turns=2, jury=0, roles={"A": "human/ada"})
    seat = f"{site.url}/runs/{name}/watch?seat=ada"
    with opened(browser) as one, opened(browser) as two:
        for page in (one, two):
            page.goto(seat)
            next_question(page, "A/plan")
        one.fill("form.answer textarea", "Half a pl")
        one.reload()
        expect(one.locator("form.answer textarea")).to_have_value("Half a pl")
        site.stop(name)
        expect(one.locator("#unsent")).to_contain_text("Half a pl")
        one.click("text=Resume")
        expect(one.locator("form.answer textarea")).to_have_value("Half a pl")
        next_question(two, "A/plan")
        say(two, "The other tab was first.")
        next_question(one, "A/think/1")
        expect(one.locator("#unsent")).to_contain_text("Half a pl")
        expect(one.locator("form.answer textarea")).to_have_value("")
        one.goto(f"{site.url}/runs/{name}/watch")
        one.fill("#note", "A note to be")
        one.check("form.vote input >> nth=0")
        one.click("form.vote button")
        expect(one.locator(".noted")).to_contain_text("Your vote for")
        expect(one.locator("#note")).to_have_value("A note to be")
        assert not one.is_checked("form.vote input >> nth=0")
        expect(one.locator(".entry.current")).to_contain_text("votes, as a reader")
        one.click("text=Add it")
        expect(one.locator(".noted")).to_contain_text("Your note is in the log")
        expect(one.locator("#note")).to_have_value("")
    site.stop(name)


def test_an_answer_is_for_the_seat_that_is_asked_and_given_back_to_others(site: Site) -> None:
    name = begin(site, turns=2, jury=0, roles={"A": "human/ada", "B": "human/bo"})
    first, second = cast(site, name)[:2]
    live = site.host.live(name)
    assert live is not None
    wait_until(lambda: "A/plan" in live.questions)
    with site.client() as client:
        for seat, key in ((second, "A/plan"), (first, "A/turn/9")):
            answer = client.post(f"/runs/{name}/answer", params={"seat": seat}, data={"key": key, "text": "Mine."})
            assert (answer.status_code, "Mine." in answer.text) == (409, True)
        given = {"key": "A/plan", "text": "Mine."}
        assert client.post(f"/runs/{name}/answer", params={"seat": first}, data=given).status_code == 303
    site.stop(name)


def test_a_reader_votes_before_the_verdict_and_it_is_compared(browser: Browser, site: Site, player: Player) -> None:
    player.hold("judge/announce")
    name = begin(site, turns=2)
    second = cast(site, name)[1]
    with opened(browser, expected=REFUSED) as page:
        page.goto(f"{site.url}/runs/{name}/watch")
        assert "Vote before you see the verdict" in page.inner_text(".readers")
        page.click("form.vote button")
        expect(page.locator("[role=alert]")).to_contain_text("Choose")
        page.check(f"form.vote input[value='{second}']")
        page.fill("#voter", "Robin")
        page.click("form.vote button")
        page.wait_for_selector(".entry.current .outside")
        expect(page.locator(".entry.current")).to_contain_text("Robin")
        player.let_go("judge/announce")
        page.wait_for_selector(DONE)
        verdict = page.locator("#entries .cover article")
        expect(page.locator("#entries .cover")).to_have_count(1)
        assert not verdict.is_visible()
        assert not page.locator("#came-to .headline").is_visible()
        page.click("#entries .cover summary")
        expect(verdict).to_be_visible()
        assert faults_of(page) == []
        page.click("text=Read the debate")
        expect(page.locator("#readers")).to_contain_text(f"Readers would have chosen {second}")
    votes = [entry for entry in site.host.find(name).entries() if entry.type == "reader_vote"]
    assert [(one.speaker, one.content, one.outside) for one in votes] == [("Robin", second, True)]
