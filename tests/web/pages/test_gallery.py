"""The gallery over HTTP: what is listed, found, paged, and what it does not need to read."""

import json
import os
import re
import shutil
from pathlib import Path

import httpx
import pytest

from moot.engine.define.shipped import OFFERED
from moot.models.scripted import read_demo
from moot.service.host import Host
from moot.service.shelf import NO_RESULT
from moot.web.pages.gallery import PER_PAGE
from tests.kit.duels import staged
from tests.kit.library import Runs, text_of
from tests.kit.servers import serving
from tests.kit.waiting import wait_until


def listed(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200
    return re.findall(r'<h3 dir="auto"><a href="/runs/([^"]+)">', answer.text)


def test_an_empty_folder_says_how_to_begin(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as site, site.client() as client:
        answer = client.get("/")
        assert "Nothing has been debated here yet" in text_of(answer)
        assert '<a class="button primary" href="/start">' in answer.text
        assert all(read_demo(name).shows in text_of(answer) for name in OFFERED), "what there is to see in each example"


def test_an_example_of_each_protocol_is_started_from_the_gallery(tmp_path: Path) -> None:
    """At reading speed and without a model. One that was stopped continues with its script."""
    with serving(tmp_path / "runs", environment={"MOOT_MODEL": ""}) as site, site.client() as client:
        for name in OFFERED:
            page = client.get("/").text
            assert f'action="/demos/{name}"' in page, "also when the folder is no longer empty"
            assert ("Nothing has been debated here yet" in page) == (name == OFFERED[0])
            answer = client.post(f"/demos/{name}")
            assert answer.status_code == 303
            watched = client.get(answer.headers["location"])
            run = answer.headers["location"].split("/")[2]
            assert "Stop it" in watched.text and "Live" in text_of(watched)
            site.stop(run)
            assert client.get(f"/api/runs/{run}").json()["status"] == "interrupted"
            assert client.post(f"/runs/{run}/watch/resume").status_code == 303
            wait_until(lambda run=run: site.host.live(run) is None)  # type: ignore[misc]
            told = client.get(f"/api/runs/{run}").json()
            assert (told["status"], told["protocol"]) == ("done", name)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"query": "BUILD-time cut-the"}, {"arena", "moved", "hostile arena"}),
        ({"query": "time build nightly"}, set()),
        ({"protocol": "panel"}, {"panel", "revised"}),
        ({"status": "limit"}, {"stopped"}),
        ({"query": "build", "protocol": "duel"}, set()),
        ({"query": "<script>"}, {"hostile", "hostile arena"}),
        ({"query": "x' OR 1=1 --"}, set()),
    ],
)
def test_search_and_filters(client: httpx.Client, runs: Runs, asked: dict[str, str], found: set[str]) -> None:
    answer = client.get("/", params=asked)
    assert set(listed(answer)) == {runs[name].name for name in found}
    assert f"{len(found)} of {len(runs)} debates" in text_of(answer)
    assert ("No debate fits" in answer.text) == (not found)


def test_many_are_paged_and_the_filters_stay(tmp_path: Path) -> None:
    run = staged(tmp_path / "runs")
    for number in range(PER_PAGE + 1):
        shutil.copytree(run.path, run.path.with_name(f"20200101T0000{number:02}Z-copy"))
    with serving(tmp_path / "runs") as site, site.client() as client:
        first = client.get("/?query=so&protocol=duel")
        assert len(listed(first)) == PER_PAGE
        following = re.search(r'rel="next" href="([^"]+)"', first.text)
        assert following is not None
        second = client.get(following[1].replace("&amp;", "&"))
        assert len(listed(second)) == 2
        assert not set(listed(first)) & set(listed(second))
        assert 'rel="prev"' in second.text
        assert 'value="so"' in second.text
        assert listed(client.get("/?page=99999")) == listed(client.get("/?page=2"))
        assert client.get("/?page=0").status_code == 422


def test_no_log_is_read_and_a_card_is_made_anew_when_its_result_changes(tmp_path: Path) -> None:
    run = staged(tmp_path)
    run.log_path.write_text("not a log")
    run.journal_path.unlink()
    shelf = Host(tmp_path).shelf
    assert [card.headline for card in shelf.cards()] == ["Yes, on the reasons given (8 to 6)"]
    document = json.loads(run.result_path.read_text("utf-8"))
    told = {**document["summary"], "headline": "Bo wins, 8 to 6"}
    run.result_path.write_text(json.dumps(document | {"summary": told}), "utf-8")
    os.utime(run.result_path, ns=(1, 1))
    assert [card.headline for card in shelf.cards()] == ["Bo wins, 8 to 6"]
    shutil.rmtree(run.path)
    assert shelf.cards() == []


def test_a_result_of_another_shape_is_told_in_one_line(tmp_path: Path) -> None:
    run = staged(tmp_path)
    whole = json.loads(run.result_path.read_bytes())
    for key in ("summary", "flags", "spent", "receipt", "status"):
        foreign = {name: value for name, value in whole.items() if name != key}
        run.result_path.write_text(json.dumps(foreign), "utf-8")
        assert [card.headline for card in Host(tmp_path).shelf.cards()] == [NO_RESULT]
    with serving(tmp_path) as site, site.client() as client:
        assert text_of(client.get("/")).count(NO_RESULT) == 1
        told = client.get(f"/api/runs/{run.name}").json()
        assert (told["summary"], told["flags"], told["status"]) == (None, [], "failed")
    run.result_path.write_text("")
    assert [card.status for card in Host(tmp_path).shelf.cards()] == ["interrupted"]


def test_a_find_shows_where_the_words_are(client: httpx.Client, runs: Runs) -> None:
    run = runs["duel"]
    entry = next(one for one in run.readable() if one.speaker == "Ada" and one.to == "all" and one.seq)
    word = max(entry.content.split(), key=len).strip(".,:;!?")
    page = client.get("/", params={"query": word.upper()}).text
    card = next(part for part in page.split('<li class="card run"') if f'href="/runs/{run.name}"' in part)
    found = re.search(r'<p class="found" dir="auto"><a href="([^"]+)">([^<]+)</a>: (.*?)</p>', card)
    assert found is not None
    assert re.fullmatch(rf"/runs/{run.name}#e\d+", found[1])
    assert f"<mark>{word}</mark>" in found[3]
    assert 'class="found"' not in client.get("/", params={"query": "duel"}).text, "what the card says is enough"
