"""Entries count from 0: the first is number 0 in every protocol, and what refers to it is told wherever it is shown."""

import asyncio
import json
from pathlib import Path

import pytest

import moot
from moot.engine.define.shipped import OFFERED
from moot.protocols.chaired.payloads import PAYLOADS, Redaction, Ruling
from moot.protocols.chaired.record import on_record, readable
from moot.record.entry import Draft
from moot.record.log import Log, read_log, take_back
from moot.record.payloads import Outside
from tests.kit.chaired import hold
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound, staged
from tests.kit.rejudging import again
from tests.kit.servers import following, ready_runs, serving


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("counting") / "runs"


@pytest.fixture(scope="module")
def runs(folder: Path) -> dict[str, moot.Run]:
    """A finished run of each protocol; of a re-judging, too."""
    made = ready_runs(folder)
    counted = again(made["arena"], rules=["borda"], judges=[])
    return {**made, "rejudging": moot.find_run(counted.run)}


def test_the_first_entry_of_every_protocol_is_number_0(runs: dict[str, moot.Run]) -> None:
    assert {run.config.protocol.name for run in runs.values()} == {*OFFERED, "rejudging"}
    for run in runs.values():
        numbers = [json.loads(line)["seq"] for line in run.log_path.read_bytes().splitlines()]
        assert numbers == list(range(len(numbers)))
        assert run.entries()[0].prev == "moot-log-4"
        assert_sound(run)


@pytest.fixture(scope="module")
def answered(folder: Path, runs: dict[str, moot.Run]) -> tuple[moot.Run, int]:
    """A duel with a note that answers its first entry and is about it, and the number of the note."""
    run = staged(folder)
    fields = {"phase": "opening", "speaker": "Zoe", "type": "note", "content": "Who says so?"}
    seq = moot.append_outside(run, **fields, rebuttal_to=0, target=0)  # type: ignore[arg-type]
    asyncio.run(moot.rebuild(run))
    return run, seq


def test_an_answer_to_the_first_entry_keeps_its_link(answered: tuple[moot.Run, int]) -> None:
    run, seq = answered
    note = run.entries()[seq]
    assert (note.seq, note.rebuttal_to_seq, note.target_seq) == (seq, 0, 0)
    shown = json.loads(command("show", str(run.path), "--json").out)[seq]
    assert (shown["rebuttal_to_seq"], shown["target_seq"]) == (0, 0)
    assert f"(entry {seq}, answers entry 0, on entry 0, " in (run.path / "report.md").read_text("utf-8")
    assert_sound(run)


def test_it_keeps_its_link_on_the_pages_and_in_the_api(folder: Path, answered: tuple[moot.Run, int]) -> None:
    run, seq = answered
    with serving(folder) as site, site.client() as client:
        page = client.get(f"/runs/{run.name}/watch", params={"entry": seq}).text
        assert '<dt>Answers</dt><dd><a href="#e0">#0</a></dd>' in page
        assert '<dt>On</dt><dd><a href="#e0">#0</a></dd>' in page
        assert ' · answers <a class="seq" href="#e0">#0</a> · on <a class="seq" href="#e0">#0</a>' in page
        api = client.get(f"/api/runs/{run.name}/entries", params={"after": seq - 1}).json()
        assert [(one["seq"], one["rebuttal_to_seq"], one["target_seq"]) for one in api["entries"]] == [(seq, 0, 0)]
        assert api["last"] == seq


def test_the_first_entry_can_be_chosen_and_gone_on_from(folder: Path, answered: tuple[moot.Run, int]) -> None:
    run, seq = answered
    with serving(folder) as site, site.client() as client:
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


def test_a_transcript_of_the_chaired_debate_tells_it_too(tmp_path: Path) -> None:
    run, _ = hold(tmp_path)
    fields = {"phase": "system", "speaker": "Zoe", "type": "reader_vote", "content": "promoter"}
    moot.append_outside(run, **fields, target=0)  # type: ignore[arg-type]
    asyncio.run(moot.rebuild(run))
    assert "on entry 0" in (run.path / "transcript.md").read_text("utf-8")


def chaired_log(path: Path) -> list[moot.Entry]:
    """A record that begins with a statement, which is answered and struck; the last ruling is about no entry."""
    log = Log(path)
    tale = Draft("opening", "promoter", "opening_statement", "Dolphins steer the trams of the whole town by sonar.")
    answer = Draft("opening", "detractor", "rebuttal", "They do not.", rebuttal_to=tale)
    struck = Redaction(rule=14, against="promoter", url="https://example.org", reason="made up")
    redaction = Draft("opening", "chair", "redaction", "It is struck.", data=struck, target=tale)
    ruling = Draft("opening", "chair", "ruling", "Go on.", data=Ruling(about="challenge", rule=15, against=None))
    drafts = [tale, answer, redaction, ruling]
    for draft in drafts:
        log.append(draft)
    log.close()
    assert [one.type for one in on_record(drafts[:2])] == [
        "entry #0, opening_statement",
        "entry #1, rebuttal answering #0",
    ]
    return read_log(path, PAYLOADS)


def test_the_first_entry_can_be_struck_and_nothing_else_is(tmp_path: Path) -> None:
    tale, answer, _, ruling = readable(chaired_log(tmp_path / "log.jsonl"))
    assert tale.content == "[REDACTED — made up] Struck from the record by ruling 2."
    assert (answer.content, answer.rebuttal_to_seq, ruling.content) == ("They do not.", 0, "Go on.")


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
