"""Batches on the page: one card, a page with table, filters and plots, and the way into each run."""

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from moot.pipelines.repeated import hold as hold_gate
from moot.pipelines.repeated import open_gate
from moot.studies.batch import Batch, write_documents
from moot.testing import ScriptedModel
from tests.kit.batches import TOPICS, answering, made, ran, write_grid
from tests.kit.duels import full_script, small_config, staged
from tests.kit.library import text_of
from tests.kit.quiz import Quiz, numbers, short_duel, write
from tests.kit.quiz import run as evaluated
from tests.kit.servers import serving


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    folder = tmp_path_factory.mktemp("studies")
    found = made(write_grid(folder, grid=TOPICS, repeat=2), folder / "runs" / "drinks")
    ran(found, answering(lambda told: "Bo" if "Case 3" in told else "Ada"))
    write_documents(found)
    return found


@pytest.fixture(scope="module")
def client(batch: Batch) -> Iterator[httpx.Client]:
    with serving(batch.path.parent) as site, site.client() as client:
        yield client


def linked(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return re.findall(r'<th scope="row"><a href="/runs/([^"]+)">', answer.text)


def test_the_gallery_has_one_card_for_a_batch(client: httpx.Client) -> None:
    answer = client.get("/")
    assert "Nothing has been debated" not in answer.text
    assert re.findall(r'<a href="/studies/([^"]+)">', answer.text) == ["drinks"]
    assert "10 × claim upheld; 2 × claim not upheld" in text_of(answer)
    assert "12 of 12 debates done" in text_of(answer)
    assert "/studies/" not in client.get("/", params={"query": "nothing like it"}).text
    assert "/studies/" in client.get("/", params={"protocol": "batch", "status": "done"}).text


def test_its_page_has_the_findings_and_the_way_into_each_run(client: httpx.Client, batch: Batch) -> None:
    answer = client.get("/studies/drinks")
    assert linked(answer) == [f"drinks~{item.id}" for item in batch.items()]
    for text in ("Win rates by persona", "What they came to", "12 of 12 debates done", "What this was made with"):
        assert text in text_of(answer)
    assert 'class="chart forest"' in answer.text
    assert '<th scope="col">Repeat</th>' in answer.text
    run = client.get(f"/runs/{linked(answer)[0]}")
    assert "Yes, on the reasons given (8 to 3)" in text_of(run)
    for path in re.findall(r'href="(/[^"#]+)"', run.text):
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"query": "NO, on the"}, 2),
        ({"query": "3? case"}, 2),
        ({"status": "done"}, 12),
        ({"status": "failed"}, 0),
        ({"query": "case 1?"}, 2),
        ({"page": "99"}, 12),
    ],
)
def test_filters(client: httpx.Client, asked: dict[str, str], found: int) -> None:
    answer = client.get("/studies/drinks", params=asked)
    assert len(linked(answer)) == found
    assert f"{found} of 12" in text_of(answer)


def test_what_is_not_there_is_404(client: httpx.Client) -> None:
    for path in ("/studies/nothing", "/studies/drinks~x", "/runs/drinks~nothing", "/runs/drinks~..~..", "/runs/a~b~c"):
        assert client.get(path).status_code == 404, path


def test_progress_is_told_while_it_runs(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "runs" / "drinks")
    with serving(tmp_path / "runs") as site, site.client() as client, batch.hold() as ledger:
        ledger.began(batch.items()[0])
        page = client.get("/studies/drinks")
        assert "0 of 6 debates done, 1 running" in text_of(page)
        assert "/static/study.js" in page.text
        ledger.began(batch.items()[1])
        told = client.get("/studies/drinks/progress")
        assert 'data-running="yes"' in told.text
        assert "0 of 6 debates done, 2 running" in text_of(told)


def test_a_broken_batch_costs_one_line_and_shows_its_runs(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "runs" / "<i>drinks")
    ran(batch, answering())
    whole = made(write_grid(tmp_path), tmp_path / "runs" / "whole")
    (batch.path / "ledger.jsonl").write_text("[]\n")
    with serving(tmp_path / "runs") as site, site.client() as client:
        gallery = client.get("/")
        assert "this batch cannot be read" in text_of(gallery)
        assert "<i>" not in gallery.text
        names = re.findall(r'<a href="/studies/([^"]+)">', gallery.text)
        assert len(names) == 2
        assert whole.path.name in names
        broken = client.get(f"/studies/{next(name for name in names if name != 'whole')}")
        assert len(linked(broken)) == 6
        assert client.get(f"/runs/{linked(broken)[0]}").status_code == 200


def test_a_database_says_what_it_cannot_show(database: str) -> None:
    staged(database)
    with serving(database) as site, site.client() as client:
        assert "its table is in the folder of the batch" in text_of(client.get("/"))
        refused = client.get("/studies/drinks")
        assert refused.status_code == 404
        assert "moot serve --out FOLDER" in unescape(refused.text)


def test_a_run_in_a_database_has_tags_and_no_bin(database: str) -> None:
    run = staged(database)
    with serving(database) as site, site.client() as client:
        page = client.get(f"/runs/{run.name}").text
        assert f"/runs/{run.name}/tags" in page
        assert f"/runs/{run.name}/discard" not in page
        assert "/?tag=" not in client.get("/").text
        assert client.post(f"/runs/{run.name}/tags", data={"tags": "food"}).status_code == 303
        assert run.name in client.get("/", params={"tag": "food"}).text
        assert client.post(f"/runs/{run.name}/discard").status_code == 422
        assert client.get("/bin").status_code == 200


def test_an_evaluation_has_its_page(tmp_path: Path) -> None:
    quiz = Quiz({}, usual={"duel": "7", "voter-1": "7", "sample": "7", "Avery": "7", "Blake": "8"})
    found = evaluated(quiz, write(tmp_path, numbers(3)), [short_duel(tmp_path)], out=tmp_path / "runs" / "sums")
    with serving(tmp_path / "runs") as site, site.client() as client:
        assert "Does debating pay? quiz" in text_of(client.get("/"))
        page = client.get("/studies/sums")
        for text in ("3 of 3 questions done", "Comparisons", *(verdict.finding for verdict in found.verdicts)):
            assert text in text_of(page)
        single = client.get("/studies/sums", params={"query": "single"})
        assert f"3 of {len(found.rows)}" in text_of(single)
        for name in dict.fromkeys(re.findall(r'href="/runs/([^"]+)"', page.text)):
            assert client.get(f"/runs/{name}").status_code == 200, name
    columns = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', page.text.partition('<table class="debates')[2])
    assert columns[:3] == ["Run", "Method", "Right answer"], "a phone shows the first ones"


def test_a_repeated_gate_has_a_page_with_its_ruling(tmp_path: Path) -> None:
    model = ScriptedModel(full_script(2))
    gate = open_gate(small_config(tmp_path / "runs", require="for"), 2, None)
    ruling = asyncio.run(hold_gate(gate, models={model.name: model}))
    with serving(tmp_path / "runs") as site, site.client() as client:
        assert ruling.words in text_of(client.get("/"))
        answer = client.get(f"/studies/{gate.folder.name}")
        assert ruling.words in text_of(answer)
        runs = linked(answer)
        assert len(runs) == 2
        assert all(client.get(f"/runs/{one}").status_code == 200 for one in runs)
