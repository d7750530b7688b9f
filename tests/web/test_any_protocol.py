"""A protocol that these pages have never heard of: it is offered, started, watched, read and asked for like any other,
and what it says of its outcome stands on every page."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

import moot
from moot.engine.define.registry import Origin
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, play
from tests.kit.hands import HANDS, config_of, registered, ups, with_more
from tests.kit.library import text_of
from tests.kit.servers import Site, following, serving

SHOWN = ("Not carried, 1 of 3", "By hands that everybody saw.", "Nobody moved.", "Hands were raised in sight")


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Site]:
    """A server that knows the protocol with nothing but its script."""
    with registered(HANDS, Origin("hands.py", sha256="0" * 64)), serving(tmp_path / "runs") as site:
        yield site


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Site]:
    """A server that knows it with all that it can bring."""
    with registered(with_more()), serving(tmp_path / "runs") as site:
        yield site


def voted(folder: Path, *hands: bool, **settings: Any) -> moot.Run:
    return moot.Run(Path(play(config_of(folder, **settings), ScriptedModel(ups(*hands), name=MODEL)).run))


def test_it_is_started_from_its_form(plain: Site) -> None:
    form = {"protocol": "hands", "topic": "Is it so?", "hands.voters": "2", "model": "fake/one", "action": "start"}
    with plain.client() as client:
        begun = client.post("/start", data=form)
        assert begun.status_code == 303, begun.text
        name = begun.headers["location"].split("/")[2]
        following(client, f"/api/runs/{name}/follow")
        run = plain.host.find(name)
        assert (run.config.protocol.name, getattr(run.config.debate, "voters", 0)) == ("hands", 2)
        wrong = client.post("/start", data=form | {"hands.voters": "9"})
        assert wrong.status_code == 422
        assert '<p class="fault" id="fault-hands.voters" data-fault="hands.voters">Voters: 2 to 5, not 9.' in wrong.text
        missing = client.post("/start", data=form | {"topic": ""})
        assert 'data-fault="topic">The question is missing.' in missing.text


def test_its_live_page_draws_and_covers_what_it_says(whole: Site) -> None:
    run = voted(Path(whole.host.out), True, False, False)
    with whole.client() as client:
        page = client.get(f"/runs/{run.name}/watch").text
        figures = page[page.index('id="figures"') : page.index('aria-label="Inspector"')]
        assert figures.count('id="map"') == 1 and "<style" not in figures
        assert figures.index("Said above the map.") < figures.index('id="map"') < figures.index("The same as a table")
        assert '<h2 id="live-hands-h">Hands so far</h2>' in figures
        assert '<summary>Who is ahead<span class="covered">' in figures
        assert "At the end" not in figures, "it is not worth watching"
        assert page.count('<details class="cover" data-verdict>') == 2, "the verdict, and what it came to"
        state = page[page.index('id="came-to"') : page.index('id="watch"')]
        assert "Not carried, 1 of 3" in state
        assert 'data-flag="hands_seen"' in state and 'data-flag="few_voters"' in state
        assert "or the verdict" not in page
        assert page.count('<details class="cover lesser">') == 3, "each hand gives it away"
        seated = client.get(f"/runs/{run.name}/watch?seat=Ann").text
        assert '<h2 id="live-hands-h">' in seated, "it is over, so the seat is nobody's"


def test_a_guest_never_has_a_file_loaded(plain: Site, tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"import pathlib\npathlib.Path({str(tmp_path / 'loaded')!r}).touch()\n")
    names = [str(trap), "trap.py", "../trap.py", f"file:{trap}", "trap", "rejudging", "answers"]
    with plain.client() as client:
        for name in names:
            for path, body in (
                ("/api/runs", {"protocol": name, "topic": "x"}),
                ("/api/plan", {"protocol": name, "topic": "x"}),
                ("/api/runs", {"topic": "x", "settings": {"protocol": name}}),
                ("/api/runs", {"topic": "x", "settings": {"plugins": [name]}}),
                ("/v1/chat/completions", {"model": f"moot/{name}", "messages": [{"role": "user", "content": "x"}]}),
            ):
                assert client.post(path, json=body).status_code in (400, 404, 422), (path, body)
            assert client.get("/start", params={"protocol": name}).status_code == 200
            assert client.post("/start", data={"protocol": name, "action": "start"}).status_code == 422
        run = voted(Path(plain.host.out), True, True)
        # A run folder that somebody brought may name any file as its protocol's: it is not loaded either.
        config = run.path / "config.yaml"
        text = config.read_text("utf-8").replace("protocol: hands", "protocol: trap").replace('"hands.py"', f'"{trap}"')
        config.write_text(text, "utf-8")
        for path in ("", "/watch", "/read"):
            client.get(f"/runs/{run.name}{path}")
        client.get("/")
    assert not (tmp_path / "loaded").exists()
    assert len(list(Path(plain.host.out).iterdir())) == 1


def test_a_guest_sets_no_key_that_is_kept(whole: Site) -> None:
    with whole.client() as client:
        asked = {"protocol": "hands", "topic": "Is it so?", "settings": {"unseen": 2}}
        refused = client.post("/api/runs", json=asked)
        assert "`unseen` cannot be set from here: it is the server's own" in refused.json()["error"]


def test_its_runs_can_be_read_after_it_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    with registered(with_more(), Origin("hands", "1.2")):
        run = voted(folder, True, False, False)
    shutil.copytree(run.path, folder / "unfinished")
    (folder / "unfinished" / "result.json").unlink()
    with serving(folder) as site, site.client() as client:
        told = text_of(client.get(f"/runs/{run.name}"))
        for text in SHOWN:
            assert text in told
        assert "So says Ben." in told
        assert "Not carried, 1 of 3" in text_of(client.get("/"))
        watched = client.get(f"/runs/{run.name}/watch")
        assert "So says Ben." in text_of(watched)
        answered = client.get(f"/api/runs/{run.name}").json()
        assert (answered["summary"]["headline"], answered["protocol"]) == ("Not carried, 1 of 3", "hands")
        assert "is not installed here; it is from hands 1.2" in resumed(client, "unfinished")


def resumed(client: httpx.Client, name: str) -> str:
    answer = client.post(f"/api/runs/{name}/resume")
    return str(answer.json()["error"])


def test_what_fails_in_its_own_code_costs_a_line(tmp_path: Path) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    def lines() -> Any:
        return broken

    folder = tmp_path / "runs"
    with registered(replace(HANDS, sections=broken, lines=lines, roles=broken)), serving(folder) as site:
        run = voted(folder, True, False)
        with site.client() as client:
            assert 'name="hands.voters"' in client.get("/start").text
            for path in ("", "/watch", "/read"):
                answer = client.get(f"/runs/{run.name}{path}")
                assert answer.status_code == 200, answer.text
                assert "So says Ann." in text_of(answer)
