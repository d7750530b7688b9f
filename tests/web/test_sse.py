"""Following a debate over HTTP: everything once and in order, whenever one comes and however often one comes back."""

import asyncio
import threading
from contextlib import ExitStack
from pathlib import Path

import httpx

from moot.service.host import Host
from moot.testing import ScriptedModel
from moot.web.following import BEAT, OPENING, events
from moot.web.security import Places
from tests.kit.duels import CAST, GatedModel, full_script, replied, small_config
from tests.kit.processes import process
from tests.kit.servers import events_in, following, serving
from tests.kit.waiting import PATIENCE, wait_until

SMALL = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": 2, "claim": "It is so."}}
ENTRIES = 13


def seqs(found: list[tuple[str, dict[str, int]]]) -> list[int]:
    return [data["seq"] for kind, data in found if kind == "entry"]


def test_many_followers_and_one_who_keeps_coming_back(folder: Path) -> None:
    found: dict[int, list[int]] = {}

    with serving(folder, gap=0.002) as site, site.client() as client:
        follow = client.post("/api/runs", json=SMALL).json()["follow"]

        def listen(number: int) -> None:
            with site.client() as own:
                found[number] = seqs(following(own, follow, {} if number < 0 else {"Last-Event-ID": str(number)}))

        threads = [threading.Thread(target=listen, args=(number,)) for number in range(-1, 7)]
        for thread in threads:
            thread.start()
        heard: list[int] = []
        while True:
            # Leaves in the middle, and goes on from the last entry that came whole.
            with client.stream("GET", follow, params={"after": heard[-1] if heard else -1}) as stream:
                text = ""
                for piece in stream.iter_text():
                    text += piece
                    if piece.count("event: entry") and len(heard) < ENTRIES - 2:
                        break
            whole = events_in(text.rpartition("\n\n")[0])
            heard += seqs(whole)
            if whole and whole[-1][0] == "ended":
                break
        for thread in threads:
            thread.join()
    assert heard == list(range(ENTRIES))
    assert found == {number: list(range(number + 1, ENTRIES)) for number in range(-1, 7)}


def test_who_leaves_is_noticed(folder: Path) -> None:
    with serving(folder) as site, site.client() as client:
        asked = SMALL | {"roles": {"A": "human/Robin"}}
        started = client.post("/api/runs", json=asked).json()
        follow = started["follow"]
        places: Places = site.app.state.followers
        # Until nobody but Robin has anything to do.
        wait_until(lambda: replied(site.host.find(started["name"])) == ["B/plan"])

        async def tasks() -> int:
            return len(asyncio.all_tasks())

        before = site.do(tasks())
        for _ in range(3):
            with ExitStack() as streams:
                for _ in range(5):
                    streams.enter_context(streams.enter_context(site.client()).stream("GET", follow))
                wait_until(lambda: places.taken == 5)
            wait_until(lambda: places.taken == 0)
        wait_until(lambda: site.do(tasks()) <= before)
        # The debate has not noticed.
        assert client.get(follow.removesuffix("/follow")).json()["status"] == "running"


async def test_silence_is_filled_and_costs_no_news(tmp_path: Path) -> None:
    go = asyncio.Event()
    model = GatedModel(ScriptedModel(full_script(2)), {"judge/deliberate": go.is_set})
    host = Host(tmp_path, models={model.name: model})
    name = await host.start(small_config(tmp_path))
    pieces = []
    async for piece in events(host.batches(name, beat=0.05)):
        pieces.append(piece)
        if pieces.count(BEAT) == 2:
            go.set()
    first, *pieces, last = pieces
    assert first == OPENING
    assert pieces.count(BEAT) >= 2
    assert last == b'event: ended\ndata: {"status": "done", "reason": null}\n\n'
    assert seqs(events_in(b"".join(pieces).decode())) == list(range(ENTRIES))


def test_from_a_seat_only_what_is_its_own(folder: Path) -> None:
    gate = threading.Event()
    model = GatedModel(ScriptedModel(full_script(2)), {"judge/deliberate": gate.is_set}, name="fake/one")
    with serving(folder, models={"fake/one": model}) as site, site.client() as client:
        name = client.post("/api/runs", json=SMALL | {"settings": {"turns": 2, "claim": "It is so.", **CAST}}).json()[
            "name"
        ]
        base = f"/api/runs/{name}"
        wait_until(lambda: client.get(base).json()["entries"] == ENTRIES - 2)
        seen = client.get(f"{base}/entries", params={"seat": "Bo"}).json()["entries"]
        assert {one["speaker"] for one in seen if one["type"] in ("plan", "think")} == {"Bo"}
        assert client.post(f"{base}/cancel").status_code == 204
        # It stopped, and can be taken up again by whoever sits there: they still know no more.
        assert client.get(f"{base}/entries", params={"seat": "Bo"}).json()["entries"] == seen
        told = following(client, f"{base}/follow?seat=Bo")
        assert seqs(told) == [one["seq"] for one in seen]
        gate.set()
        assert client.post(f"{base}/resume").status_code == 202
        wait_until(lambda: client.get(base).json()["status"] == "done")
        whole = client.get(f"{base}/entries", params={"seat": "Bo"}).json()["entries"]
        assert {one["speaker"] for one in whole if one["type"] == "plan"} == {"Ada", "Bo"}
        assert seqs(following(client, f"{base}/follow?seat=Bo")) == list(range(ENTRIES))


def test_a_debate_of_another_process_is_followed_and_not_waited_for(tmp_path: Path) -> None:
    with process("wait", tmp_path) as running:
        assert running.stdout is not None
        name = Path(running.stdout.readline().strip()).name
        with serving(tmp_path) as site, site.client() as client:
            base = f"/api/runs/{name}"
            assert client.get(base).json()["status"] == "running"
            seen = client.get(f"{base}/entries", params={"seat": "Bo"}).json()["entries"]
            assert {one["speaker"] for one in seen if one["type"] == "plan"} == {"Bo"}
            stream = threading.Thread(
                target=httpx.get, args=(f"{site.url}{base}/follow",), kwargs={"timeout": PATIENCE}
            )
            stream.start()
            wait_until(lambda: site.app.state.followers.taken == 1)
        # The server has stopped, though the debate goes on.
        stream.join(PATIENCE)
        assert not stream.is_alive()
        with serving(tmp_path) as site, site.client() as client:
            (tmp_path / "go").touch()
            found = following(client, f"{base}/follow")
        running.communicate()
    assert seqs(found) == list(range(ENTRIES))
    assert found[-1][1]["status"] == "done"
