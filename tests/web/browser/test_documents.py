"""Documents in a real browser: one click on what is cited leads to the line, in any script, also while it is live."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import moot
from moot.testing import Scripted
from tests.kit.browser import faults_of, fits, kept, opened
from tests.kit.duels import answer_for, duel
from tests.kit.players import PLAYER, Player, plain
from tests.kit.servers import Site, elsewhere, serving

pytestmark = pytest.mark.browser
LINES = [f"Beam number {number} was looked at and found in order." for number in range(1, 200)]
CHINESE = "九根缆索中有两根已经完全锈蚀，交通量减半"
ARABIC = "اثنين من الكابلات التسعة قد صدئا تماما"
TEXTS = {
    "D1": "\n".join(LINES),
    "D2": "\n".join(["桥梁检查报告", *["检查结果正常。"] * 60, f"{CHINESE}。", *["结束。"] * 60]),
    "D3": "\n".join([*["الجسر مغلق."] * 60, f"قال المهندس إن {ARABIC}.", *["هذا كل شيء."] * 60]),
}
PLACES = {"D1-L120": LINES[119], "D2-L62": CHINESE, "D3-L61": ARABIC}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    reasons = [{"reason": f"It is so: “{words}” [{place[:2]}].", "rests_on": ["1"]} for place, words in PLACES.items()]
    said = f"It says “{LINES[119]}” [D1], «{ARABIC}» [D3] and 「{CHINESE}」 [D2]."
    replies = {"A/turn/1": said, "judge/announce": answer_for("Ada", because=reasons)}
    documents = [{"title": key, "text": text} for key, text in TEXTS.items()]
    result, _ = elsewhere(
        lambda: duel(tmp_path_factory.mktemp("cited"), replies, documents=documents, reports=True)  # type: ignore[arg-type]
    )
    assert result.status == "done", result.reason
    return moot.find_run(result.run)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_a_click_on_the_place_of_a_reason_leads_to_the_marked_line(
    browser: Browser, run: moot.Run, width: int, scheme: str
) -> None:
    with (
        serving(run.path.parent) as site,
        opened(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as page,
    ):
        for name, url in (("report", (run.path / "report.html").as_uri()), ("read", f"{site.url}/runs/{run.name}")):
            for place, words in PLACES.items():
                page.goto(url)
                link = page.locator(f".verdict a.place[href='#{place}']")
                link.press("Enter") if width == 1024 else link.click()
                landed(page, place, words)
                kept(page, f"cited-{name}-{place}-{width}-{scheme}")
            assert fits(page)
            assert faults_of(page) == []


def landed(page: Page, place: str, words: str) -> None:
    line = page.locator(f"#{place}")
    expect(line).to_be_in_viewport()
    expect(line.locator("mark")).to_have_text(words)
    expect(page.locator(":target")).to_have_id(place)


def citing(request: moot.Request) -> Scripted:
    places = {"A/turn/1": LINES[9], "B/turn/2": LINES[149]}
    return f"It says “{places[request.key]}” [D1]." if request.key in places else plain(request)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("runs"), models={PLAYER: Player(citing)}) as served:
        yield served


def test_whoever_sits_there_reads_the_documents_while_it_is_debated(browser: Browser, site: Site) -> None:
    """What is cited meanwhile is marked without a reload, and what was open stays open."""
    documents = [{"title": "Beams", "text": TEXTS["D1"]}]
    config = moot.configure(
        "duel", topic="Is it so?", model=PLAYER, seed=1, turns=2, documents=documents, roles={"judge": "human/ann"}
    )
    name = site.do(site.host.start(config))
    with opened(browser) as page:
        page.goto(f"{site.url}/runs/{name}/watch?seat=ann")
        page.wait_for_selector("#question[data-key='judge/evaluate/1']")
        page.locator(".said a[href='#D1-L10']").click()
        landed(page, "D1-L10", LINES[9])
        assert faults_of(page) == []
        kept(page, "cited-at-a-seat")
        with site.client() as elsewhere_seated:
            for key, answer in (("evaluate/1", {"skip": "yes"}), ("score/1", {"f.0": "It was clear.", "f.1": "8"})):
                page.wait_for_selector(f"#question[data-key='judge/{key}']")
                sent = {"key": f"judge/{key}", **answer}
                assert elsewhere_seated.post(f"/runs/{name}/answer?seat=ann", data=sent).status_code == 303
        expect(page.locator("#D1-L150 mark")).to_have_text(LINES[149])
        expect(page.locator("#D1-L10")).to_be_visible()
        page.locator(".said a[href='#D1-L150']").click()
        landed(page, "D1-L150", LINES[149])
    site.stop(name)
