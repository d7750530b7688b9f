"""Entries count from 0: the first is number 0 in every protocol, and what refers to it is told wherever it is shown."""

import asyncio
from pathlib import Path

import moot
from moot.record.entry import Draft
from moot.record.log import Log, read_log, take_back
from moot.record.payloads import Outside
from tests.kit.duels import staged
from tests.kit.servers import following, serving


def test_the_first_entry_keeps_its_link_and_can_be_chosen(tmp_path: Path) -> None:
    """A note answers it and is about it."""
    run = staged(tmp_path)
    fields = {"phase": "opening", "speaker": "Zoe", "type": "note", "content": "Who says so?"}
    seq = moot.append_outside(run, **fields, rebuttal_to=0, target=0)  # type: ignore[arg-type]
    asyncio.run(moot.rebuild(run))
    with serving(tmp_path) as site, site.client() as client:
        page = client.get(f"/runs/{run.name}/watch", params={"entry": seq}).text
        assert '<dt>Answers</dt><dd><a href="#e0">#0</a></dd>' in page
        assert '<dt>On</dt><dd><a href="#e0">#0</a></dd>' in page
        assert ' · answers <a class="seq" href="#e0">#0</a> · on <a class="seq" href="#e0">#0</a>' in page
        api = client.get(f"/api/runs/{run.name}/entries", params={"after": seq - 1}).json()
        assert [(one["seq"], one["rebuttal_to_seq"], one["target_seq"]) for one in api["entries"]] == [(seq, 0, 0)]
        assert api["last"] == seq
        base = f"/runs/{run.name}"
        assert "<h2>Entry 0</h2>" in client.get(f"{base}/watch", params={"entry": 0}).text
        assert "<h2>Entry 0</h2>" in client.get(f"{base}/watch/inspect/0").text
        assert "Choose an entry by its number" in client.get(f"{base}/watch").text
        first = client.get(f"{base}/watch/entries", params={"after": -1, "upto": 0}).text
        assert 'id="e0"' in first and 'id="e1"' not in first
        assert client.get(f"{base}/as/A", params={"at": 0}).status_code == 200
        for headers, begins in (({}, 0), ({"Last-Event-ID": "0"}, 1)):
            told = following(client, f"/api{base}/follow", headers)
            assert [data["seq"] for kind, data in told if kind == "entry"] == list(range(begins, seq + 1))
        assert client.get(f"/api{base}/entries").json()["entries"][0]["seq"] == 0


def test_what_is_said_of_the_first_entry_outlives_what_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log(path)
    for content, about in (("one", None), ("two", None), ("of the first", 0), ("of the second", 1), ("of none", None)):
        outside = Outside() if content.startswith("of") else None
        log.append(Draft("test", "moot", "note", content, data=outside, target=about))
    log.close()
    take_back(path, 1)
    assert [(one.seq, one.content, one.target_seq) for one in read_log(path)] == [
        (0, "one", None),
        (1, "of the first", 0),
        (2, "of none", None),
    ]
