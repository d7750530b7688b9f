"""What can be done with a debate after reading it, over HTTP: by whoever may act, and by nobody else."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

import moot
from moot.runs.bin import binned
from moot.runs.tags import tags_of
from tests.kit.batches import answering
from tests.kit.contract import answers_anything
from tests.kit.duels import MODEL
from tests.kit.library import Runs, text_of
from tests.kit.servers import Site, copied, serving
from tests.kit.trusted import write_trusted
from tests.kit.waiting import wait_until

ACTIONS = ("ask", "again", "fork", "rejudge", "tags", "discard")


@pytest.fixture
def own(runs: Runs, tmp_path: Path) -> Runs:
    return copied({name: runs[name] for name in ("duel", "panel")}, tmp_path / "runs")


@pytest.fixture
def site(own: Runs) -> Iterator[Site]:
    with serving(own["duel"].path.parent, models={MODEL: answering()}) as found:
        yield found


def begun(site: Site, answer: httpx.Response) -> moot.Run:
    """The debate that a form has started, at its end."""
    assert answer.status_code == 303, answer.text
    name = unquote(answer.headers["location"].split("/")[2])
    wait_until(lambda: site.host.live(name) is None)
    return site.host.find(name)


def post(site: Site, run: moot.Run, what: str, **form: str) -> httpx.Response:
    with site.client() as client:
        return client.post(f"/runs/{run.name}/{what}", data=form)


def test_the_tools_of_a_debate_are_not_for_guests(
    site: Site, own: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a debate of the owner looked things up with, unless the owner allows it to others."""
    monkeypatch.chdir(tmp_path)
    frozen = own["duel"].path / "config.yaml"
    frozen.write_text(f"{frozen.read_text('utf-8')}tools: {{fetch: []}}\nmax_lookups: 3\n", "utf-8")
    for what, form in (("again", {"question": "And tomorrow?"}), ("fork", {"at": "8"})):
        answer = post(site, own["duel"], what, **form)
        assert answer.status_code != 303 and "not for guests" in unescape(answer.text), what
    write_trusted("lookups: {fetch: {guests: true}}")
    run = begun(site, post(site, own["duel"], "again", question="And tomorrow?"))
    assert run.config.options.tools == {"fetch": []}


def test_a_further_question(site: Site, own: Runs) -> None:
    run = begun(site, post(site, own["duel"], "again", question="And tomorrow?"))
    assert run.config.topic == "And tomorrow?"
    (document,) = run.config.options.documents
    assert document.source == f"run {own['duel'].name}"
    assert post(site, own["duel"], "again", question="  ").status_code == 422
    assert post(site, own["duel"], "again", question="And now?", model="scripted/none").status_code == 422


def test_a_question_about_a_debate(own: Runs) -> None:
    """It is answered under the verdict, and starts no debate."""
    run, before = own["panel"], len(moot.list_runs(str(own["duel"].path.parent)))
    with serving(run.path.parent, models={MODEL: answers_anything()}) as site, site.client() as client:
        answer = post(site, run, "ask", question="And <b>tomorrow</b>?", model=MODEL)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/runs/{run.name}/read#questions")
        page = client.get(f"/runs/{run.name}/read").text
        assert page.index('id="verdict"') < page.index("And &lt;b&gt;tomorrow&lt;/b&gt;?") < page.index('id="cast"')
        detail = client.get(f"/api/runs/{run.name}").json()
        [told] = detail["questions"]
        assert told["question"] == "And <b>tomorrow</b>?"
        again = client.post(f"/api/runs/{run.name}/questions", json={"question": told["question"], "model": MODEL})
        assert again.json() == {**told, "asked_before": True}
        assert client.get(f"/api/runs/{run.name}/verify").json()["faults"] == []
    assert len(moot.list_runs(str(run.path.parent))) == before
    with serving(run.path.parent, read_only=True) as reading, reading.client() as client:
        page = client.get(f"/runs/{run.name}/read").text
        assert "And &lt;b&gt;tomorrow&lt;/b&gt;?" in page and f'action="/runs/{run.name}/ask"' not in page


def test_what_is_refused_comes_back_with_its_reason(site: Site, own: Runs) -> None:
    run, before = own["duel"], len(moot.list_runs(str(own["duel"].path.parent)))
    tries = {
        "again": ({"question": "A long <i>one?", "model": "nobody/y"}, ["A long &lt;i&gt;one?", "nobody/y"]),
        "ask": ({"question": "A long question <b>?", "model": "nobody/x"}, ["A long question &lt;b&gt;?", "nobody/x"]),
        "fork": ({"at": "999", "seed": "12", "model": ""}, ['value="999"', 'value="12"']),
        "rejudge": ({"model": "nobody/judge"}, ['value="nobody/judge"']),
        "tags": ({"tags": "x" * 50}, ["x" * 50]),
    }
    for what, (form, typed) in tries.items():
        answer = post(site, run, what, **form)
        assert answer.status_code == 422
        page = answer.text
        assert f'action="/runs/{run.name}/{what}"' in page, "the page of the debate, and not another one"
        assert page.count('role="alert"') == 1
        assert all(text in page for text in typed), what
    assert len(moot.list_runs(str(run.path.parent))) == before
    assert post(site, moot.Run(run.path.with_name("nothing")), "ask", question="And?").status_code == 404


def test_a_refused_resumption_is_said_where_it_was_asked_for(runs: Runs, tmp_path: Path) -> None:
    stopped = copied({"stopped": runs["stopped"]}, tmp_path / "runs")["stopped"]
    with serving(stopped.path.parent) as site, site.client() as client:
        answer = client.post(f"/runs/{stopped.name}/watch/resume")
        assert answer.status_code == 422, answer.text
        assert "It was not resumed" in answer.text and 'role="alert"' in answer.text
        assert f'action="/runs/{stopped.name}/watch/resume' in answer.text


def test_a_fork(site: Site, own: Runs) -> None:
    original = own["duel"]
    run = begun(site, post(site, original, "fork", at="7", seed="12"))
    assert run.config.origin
    assert (run.config.origin["run"], run.config.origin["at"], run.config.seed) == (original.name, 7, 12)
    shared = [entry.content for entry in original.entries()[:8]]
    assert [entry.content for entry in run.entries()[:8]] == shared
    before = len(moot.list_runs(str(original.path.parent)))
    for wrong in ("", "x", "-1", "999", "9" * 30):
        assert post(site, original, "fork", at=wrong).status_code == 422, wrong
    assert post(site, original, "fork", at="7", model="nobody/x").status_code == 422
    assert len(moot.list_runs(str(original.path.parent))) == before


def test_it_is_judged_again(site: Site, own: Runs) -> None:
    run = begun(site, post(site, own["duel"], "rejudge", model="fake/one"))
    assert run.config.content()["source"]["run"] == own["duel"].name
    assert run.config.content()["judges"] == [{"name": "fake/one", "model": ["fake/one"]}]
    assert post(site, own["duel"], "rejudge", model="scripted/none").status_code == 422


@pytest.mark.parametrize("swap", [False, True])
def test_it_is_debated_again_by_the_same_people(site: Site, own: Runs, swap: bool) -> None:
    original = own["duel"]
    with site.client() as client:
        page = client.get("/start", params={"again": original.name, "swap": swap})
        assert page.status_code == 200
        assert original.name in text_of(page)
        form = dict(re.findall(r'<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"', page.text))
        form |= dict(re.findall(r' name="([^"]+)" list="models" value="([^"]*)"', page.text))
        found = re.search(r'<textarea id="f-topic"[^>]*>([^<]*)<', page.text)
        assert found
        form |= {"topic": unescape(found[1]), "protocol": "duel", "action": "start"}
        assert form["topic"] == original.config.topic
        assert form["model"] == MODEL
        run = begun(site, client.post("/start", data=form))
    assert run.config.seed == original.config.seed

    def cast(of: moot.Run) -> dict[str, str | None]:
        return {one["name"]: one.get("side") for one in of.entries()[0].model_dump()["data"]["cast"]}

    sides = cast(original)
    turned: dict[str | None, str | None] = {"for": "against", "against": "for", None: None}
    assert cast(run) == ({name: turned[side] for name, side in sides.items()} if swap else sides)


def test_tags_are_kept_shown_and_found(site: Site, own: Runs) -> None:
    assert post(site, own["duel"], "tags", tags="food, <b>later").status_code == 303
    assert tags_of(own["duel"]) == ("food", "<b>later")
    with site.client() as client:
        gallery = client.get("/", params={"tag": "<b>later"})
        assert re.findall(r'<h3 dir="auto"><a href="/runs/([^"]+)">', gallery.text) == [own["duel"].name]
        assert "<b>later" not in gallery.text
        assert client.get("/", params={"tag": "other"}).text.count('class="card run"') == 0
    assert post(site, own["duel"], "tags", tags="x" * 50).status_code == 422


def test_the_bin_and_the_way_back(site: Site, own: Runs) -> None:
    name, out = own["duel"].name, str(own["duel"].path.parent)
    answer = post(site, own["duel"], "discard")
    with site.client() as client:
        gallery = client.get(answer.headers["location"])
        assert f"{name} is in the bin" in text_of(gallery)
        assert client.get(f"/runs/{name}").status_code == 404
        bin_page = client.get("/bin").text
        assert f"Restore {name}" in bin_page
        assert "Is it so?" in bin_page and "Yes, on the reasons given" in bin_page, "one knows what one takes out"
        assert [run.name for run in binned(out)] == [name]
        assert client.post(f"/bin/{name}/restore").status_code == 303
        assert client.get(f"/runs/{name}").status_code == 200
        for wrong in (name, "nothing", ".."):
            assert client.post(f"/bin/{wrong}/restore").status_code in (404, 405), wrong
        assert "is in the bin" not in client.get("/", params={"binned": "<script>"}).text
    with own["duel"].hold():
        assert post(site, own["duel"], "discard").status_code == 409
    assert binned(out) == []


def test_a_server_for_reading_shows_no_action_and_takes_none(own: Runs) -> None:
    name = own["duel"].name
    empty = own["duel"].path.parents[1] / "empty"
    with serving(empty, read_only=True) as site, site.client() as client:
        for path in ("/", "/compare", "/leaderboard"):
            assert 'href="/start' not in client.get(path).text, path
    with serving(own["duel"].path.parent, read_only=True) as site, site.client() as client:
        for path in ("/", f"/runs/{name}", "/compare", "/leaderboard", "/bin"):
            page = client.get(path)
            assert page.status_code == 200
            assert 'method="post"' not in page.text, path
            assert "/start" not in page.text.replace("/static/", ""), path
        assert client.get("/start").status_code == 403
        posts = [f"/runs/{name}/{what}" for what in ACTIONS] + ["/start", "/api/runs", f"/bin/{name}/restore", "/mcp"]
        for path in [*posts, "/v1/chat/completions", f"/runs/{name}/reader-votes", f"/runs/{name}/watch/resume"]:
            answer = client.post(path, data={"tags": "x"})
            assert answer.status_code == 403, path
            assert "for reading" in answer.text, path
    assert tags_of(own["duel"]) == ()
