"""Reading a debate over HTTP: the verdict, each agent's view, the check, readers' votes."""

import asyncio
import json
import re
import shutil
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

import moot
from moot.argument.formats import Loss
from moot.pipelines.documents import DOCUMENTS
from moot.runs.export import GRAPHS
from moot.web.pages.rendering import CUT, in_chunks
from tests.kit.chaired import CANARY, TALE, hold, tale_replies
from tests.kit.library import Runs, pages_of, text_of
from tests.kit.reports import elements
from tests.kit.servers import serving
from tests.kit.waiting import PATIENCE


@pytest.mark.parametrize("page", ["read", "watch"])
def test_a_long_page_is_sent_while_it_is_being_made(page: str, long_run: moot.Run) -> None:
    with (
        serving(long_run.path.parent) as site,
        httpx.stream("GET", f"{site.url}/runs/{long_run.name}/{page}", timeout=PATIENCE) as answer,
    ):
        chunks = answer.iter_bytes()
        first = next(chunks)
        rest = b"".join(chunks)
        assert b'<link rel="stylesheet" href="/report.css">' in first
        assert b"</main>" not in first
        assert rest.rstrip().endswith(b"</html>")


def test_a_page_that_fails_midway_says_that_it_is_cut_off() -> None:
    def pieces() -> Iterator[str]:
        yield "<head></head>"
        yield "<body>the beginning"
        raise ValueError("no more")

    chunks = in_chunks(pieces())
    assert [next(chunks), next(chunks)] == ["<head></head>", "<body>the beginning" + CUT]
    with pytest.raises(ValueError, match="no more"):
        next(chunks)


def test_no_page_has_a_script_or_a_style_of_its_own(client: httpx.Client, runs: Runs) -> None:
    for path in pages_of(runs):
        answer = client.get(path)
        assert answer.status_code == 200, path
        for tag, attributes in elements(answer.text):
            assert tag not in ("style", "iframe", "object", "embed", "base", "img"), path
            assert not [name for name in attributes if name == "style" or name.startswith("on")], path
            targets = [attributes.get(name, "/") for name in ("href", "src", "action")]
            assert all(one.startswith(("/", "#", "?", "data:,")) and not one.startswith("//") for one in targets), path
            if tag == "script":
                assert attributes["type"] == "module", path
                assert attributes["src"].startswith(("/static/", "/replay.js")), path
            assert "http-equiv" not in attributes, path


def test_a_stopped_debate_can_be_taken_up_and_one_under_way_is_watched(client: httpx.Client, runs: Runs) -> None:
    run = runs["stopped"]
    answer = client.get(f"/runs/{run.name}")
    assert "This debate is unfinished: limit" in text_of(answer)
    assert f'href="/runs/{run.name}/watch#resume">Resume with another limit</a>' in answer.text
    taken_up = client.get(f"/runs/{run.name}/watch").text
    assert f'<form id="resume" class="row" method="post" action="/runs/{run.name}/watch/resume">' in taken_up
    assert 'name="max_calls"' in taken_up
    with run.hold():
        watched = client.get(f"/runs/{run.name}")
        assert (watched.status_code, watched.headers["location"]) == (303, f"/runs/{run.name}/watch")
        so_far = client.get(f"/runs/{run.name}/read")
        assert "This debate is under way" in text_of(so_far)
        assert "watch/resume" not in so_far.text
        listed = text_of(client.get("/"))
        assert listed.index("Under way") < listed.index("Ended")


def test_the_receipt_is_checked_and_a_change_is_found(client: httpx.Client, runs: Runs) -> None:
    run = runs["duel"]
    assert "Verified: nothing was altered" not in client.get(f"/runs/{run.name}").text
    assert f"each of the {len(run.entries())} entries" in text_of(client.get(f"/runs/{run.name}?check=1"))
    forged = run.path.with_name(f"{run.name}-forged")
    shutil.copytree(run.path, forged)
    document = json.loads((forged / "result.json").read_text("utf-8"))
    (forged / "result.json").write_text(json.dumps(document | {"winner": "Bo"}), "utf-8")
    text = text_of(client.get(f"/runs/{forged.name}?check=1"))
    assert "Verification failed" in text
    assert "result.json was altered at 'winner'" in text
    shutil.rmtree(forged)


def test_an_agent_s_view_is_what_it_was_sent(client: httpx.Client, runs: Runs) -> None:
    run = runs["duel"]
    thought = next(entry for entry in run.entries() if entry.type == "think" and entry.speaker == "Ada")
    for at in (0, thought.seq, len(run.entries()) - 1):
        shown = client.get(f"/runs/{run.name}/as/A?at={at}").text
        blocks = [unescape(one) for one in re.findall(r'<pre class="message[^>]*>(.*?)</pre>', shown, re.DOTALL)]
        assert blocks == [message.content for message in moot.seen_by(run, "A", at)]
    assert thought.content in client.get(f"/runs/{run.name}/as/Ada").text
    assert thought.content not in client.get(f"/runs/{run.name}/as/B").text
    assert "had not been asked anything" in client.get(f"/runs/{run.name}/as/A?at=0").text


def test_readers_vote_and_are_compared_with_the_verdict(runs: Runs, tmp_path: Path) -> None:
    run = runs["duel"]
    folder = tmp_path / "runs"
    shutil.copytree(run.path, folder / run.name)
    with serving(folder) as site, site.client() as client:
        here, before = f"/runs/{run.name}", client.get(f"/api/runs/{run.name}").json()["result"]
        for voter, choice in (("Uma", "Bo"), ("Vic", "Bo"), ("Uma", "Ada"), ("Wil", "Bo"), ("<b>Xi</b>", "Bo")):
            answer = client.post(f"{here}/vote", data={"voter": voter, "choice": choice, "after": "reading"})
            assert (answer.status_code, answer.headers["location"]) == (303, f"{here}#readers")
        text = text_of(client.get(here))
        assert "Readers would have chosen Bo; the debate decided: Ada." in text
        assert re.search(r"Bo 3 +Ada 1 this", text)
        assert "<b>Xi" not in client.get(here).text
        for wrong in ({"voter": "Uma", "choice": "Kim"}, {"choice": ""}, {"voter": "x" * 61, "choice": "Ada"}):
            assert client.post(f"{here}/vote", data=wrong).status_code == 422
        elsewhere = client.post(
            f"{here}/vote", data={"voter": "Y", "choice": "Bo"}, headers={"Origin": "http://evil.example"}
        )
        assert elsewhere.status_code == 403
        after = client.get(f"/api/runs/{run.name}").json()
        assert after["result"]["winner"] == before["winner"] == "Ada"
        assert "Verified: nothing was altered" in text_of(client.get(f"{here}?check=1"))


def test_every_export_can_be_had(client: httpx.Client, runs: Runs) -> None:
    for protocol in ("duel", "persuasion"):
        page = client.get(f"/runs/{runs[protocol].name}").text
        links = re.findall(r'<a href="(/api/runs/[^"]+/export/([\w-]+))" download', page)
        forms = {form for _, form in links}
        documents = {"html", "md", "json", "brief", "brief-json", "adr", *DOCUMENTS}
        assert forms == documents | (set(GRAPHS) if protocol == "persuasion" else set())
        for link, form in links:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Loss)
                assert client.get(link).text == asyncio.run(moot.export(runs[protocol], form))


def test_a_debate_that_never_began_and_one_that_cannot_be_read(runs: Runs, tmp_path: Path) -> None:
    for name in ("early", "broken"):
        (tmp_path / name).mkdir()
    shutil.copy(runs["arena"].path / "config.yaml", tmp_path / "early")
    (tmp_path / "broken" / "config.yaml").write_text("protocol: [nothing", "utf-8")
    with serving(tmp_path) as site, site.client() as client:
        listed = text_of(client.get("/"))
        assert "How should we cut the build time?" in listed
        assert "broken" in listed
        assert "The debate had not begun" in text_of(client.get("/runs/early"))
        assert "The debate had not begun" in text_of(client.get("/compare?a=early&b=early"))
        for path in ("/runs/early/as/ada", "/runs/early/contest", "/runs/broken", "/compare?a=early&b=broken"):
            assert client.get(path).status_code == 422, path


def test_what_was_struck_from_the_record_is_on_no_page(tmp_path: Path) -> None:
    told = {"liar": "promoter", "place": "r1", "quote": TALE, "challenged": True, "asks": True}
    run, _ = hold(tmp_path, tale_replies(told), max_rounds=2)
    assert CANARY in run.log_path.read_text("utf-8")
    here = f"/runs/{run.name}"
    cast = [member.id for member in getattr(run.entries()[0].data, "cast", [])]
    views = [f"{here}/as/{part}?at={at}" for part in cast for at in range(4, len(run.entries()), 6)]
    with serving(run.path.parent) as site, site.client() as client:
        api = [
            f"/api{here}/{rest}"
            for rest in ("entries", "follow", *(f"export/{form}" for form in ("json", "md", "html")))
        ]
        pages = ["/", here, f"{here}?check=1", f"/compare?a={run.name}&b={run.name}", *views]
        for path in (*pages, *api, f"/api{here}/seen?agent={cast[2]}"):
            assert CANARY not in text_of(client.get(path)).casefold(), path
