"""Entries from outside: many hands on one log, refusals, and a debate that takes no notice of them."""

import asyncio
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import (
    GatedModel,
    assert_sound,
    full_script,
    not_yet_paid,
    play,
    said,
    small_config,
    staged,
    take_up,
)
from tests.kit.processes import in_process, process

SOURCE = {"url": "https://example.org", "title": "An example", "accessed": "2030-01-01"}
NOTE = {"phase": "opening", "speaker": "Zoe", "type": "note", "content": "A word from outside."}


def append(run: moot.Run, **fields: Any) -> int:
    return moot.append_outside(run, **(NOTE | fields))


def own(run: moot.Run) -> list[moot.Entry]:
    return [entry for entry in run.entries() if not entry.outside]


def unnumbered(entries: list[moot.Entry]) -> list[dict[str, Any]]:
    """What entries say, but for the numbers that entries from outside push on."""
    numbers = {"seq", "rebuttal_to_seq", "target_seq"}
    return [unlinked({key: value for key, value in entry.items() if key not in numbers}) for entry in said(entries)]


def unlinked(value: Any) -> Any:
    """Data without the numbers of the entries that a brief rests on."""
    if isinstance(value, list):
        return [unlinked(item) for item in value]
    if isinstance(value, dict):
        return {key: unlinked(item) for key, item in value.items() if key not in ("entries", "source")}
    return value


def outcome(document: Mapping[str, Any] | None) -> dict[str, Any]:
    """The part of a result that no entry from outside may change."""
    assert document is not None
    rest = {key: value for key, value in document.items() if key not in ("run", "seconds", "receipt")}
    return {**rest, "brief": unlinked(rest["brief"])}


def assert_orderly(run: moot.Run, entries: int) -> None:
    assert run.log_path.read_bytes().endswith(b"\n")
    assert [entry.seq for entry in run.entries()] == list(range(entries))
    assert list(run.path.glob("*.torn-*")) == []
    assert_sound(run)


@pytest.mark.usefixtures("reports_are_read")
def test_many_processes_append_to_one_log(tmp_path: Path) -> None:
    run = staged(tmp_path)
    before = run.entries()
    in_process("append", run.path, 8, 25)
    assert_orderly(run, len(before) + 200)
    entries = run.entries()
    assert entries[: len(before)] == before
    for who in range(8):
        told = [entry.content for entry in entries if entry.speaker == f"Guest {who}"]
        assert told == [f"Note {number}." for number in range(25)]
    assert moot.verify(run).notes == [
        "200 entries were appended from outside since the receipt was made",
        "the reports were not compared: entries were appended from outside since",
    ]


def test_a_debate_takes_no_notice_of_what_is_appended_while_it_runs(tmp_path: Path) -> None:
    appending: list[subprocess.Popen[str]] = []

    def some_are_there() -> bool:
        [run] = moot.list_runs(str(tmp_path / "running"))
        if not appending:
            appending.append(process("append", run.path, 4, 25))
        return any(entry.outside for entry in run.entries())

    def all_are_there() -> bool:
        return appending[0].poll() is not None

    gates = {"B/plan": some_are_there, "judge/announce": all_are_there}
    model = GatedModel(ScriptedModel(full_script(4)), gates)
    result = play(small_config(tmp_path / "running", 4), model)
    _, errors = appending[0].communicate()
    assert appending[0].returncode == 0, errors
    assert result.status == "done"
    run, alone = moot.find_run(result.run), staged(tmp_path / "alone", 4)
    assert_orderly(run, len(alone.entries()) + 100)
    assert unnumbered(own(run)) == unnumbered(alone.entries())
    assert outcome(run.result()) == outcome(alone.result())
    assert take_up(run, ScriptedModel({})).status == "done"
    assert_orderly(run, len(alone.entries()) + 100)


def test_agents_never_see_what_comes_from_outside(tmp_path: Path) -> None:
    def append_another() -> bool:
        [run] = moot.list_runs(str(tmp_path))
        append(run, speaker="Ada", content="canary")
        return True

    inner = ScriptedModel(full_script(2))
    result = play(small_config(tmp_path), GatedModel(inner, dict.fromkeys(full_script(2), append_another)))
    assert result.status == "done"
    assert sum(entry.content == "canary" for entry in moot.find_run(result.run).entries()) == len(inner.requests)
    assert not any("canary" in message.content for request in inner.requests for message in request.messages)
    assert "canary" not in json.dumps(result.document())


@pytest.mark.parametrize("calls", range(14))
def test_a_run_with_entries_from_outside_can_be_resumed(tmp_path: Path, calls: int) -> None:
    run = moot.find_run(play(small_config(tmp_path / "stopped", max_calls=calls), ScriptedModel(full_script(2))).run)
    append(run, content="Before it goes on.")
    assert take_up(run, ScriptedModel(not_yet_paid(full_script(2), run.records())), max_calls=50).status == "done"
    append(run, speaker="Kim", content="A verdict that does not count.")
    alone = staged(tmp_path / "alone")
    assert unnumbered(own(run)) == unnumbered(alone.entries())
    assert_orderly(run, len(alone.entries()) + 2)
    rebuilt = asyncio.run(moot.rebuild(run))
    assert outcome(rebuilt.document()) == outcome(alone.result())


def test_an_entry_says_what_it_was_given(tmp_path: Path) -> None:
    run = staged(tmp_path)
    seq = append(run, speaker="Bo", sources=[SOURCE], rebuttal_to=4, target=6)
    entry = run.entries()[-1]
    assert entry.seq == seq == len(run.entries()) - 1
    assert entry.outside and entry.to == [] and entry.call is None
    assert (entry.speaker, entry.type, entry.rebuttal_to_seq, entry.target_seq) == ("Bo", "note", 4, 6)
    assert [source.model_dump() for source in entry.sources] == [SOURCE]
    assert append(run, target=seq) == seq + 1


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "phase": ({"phase": "context"}, "has no phase 'context'; it has setup, planning"),
    "type": ({"speaker": "Ada", "type": "turn"}, "Ada may append note, not 'turn'"),
    "vote of one of the cast": ({"speaker": "Kim", "type": "reader_vote"}, "not 'reader_vote'"),
    "stranger": ({"type": "turn"}, "'Zoe', who is not of the cast, may append note, reader_vote, not 'turn'"),
    "nobody": ({"speaker": " "}, "the speaker must be a name"),
    "two lines of name": ({"speaker": "Zoe\nKim"}, "printable"),
    "empty": ({"content": ""}, "the content is empty"),
    "huge": ({"content": "x" * 200_001}, "200,000 characters together, not 200,001"),
    "half a character": ({"content": "\ud800"}, "half a character"),
    "source that is none": (
        {"sources": ["https://example.org"]},
        "sources must be a list of {url, title, accessed}: 0",
    ),
    "source without a field": ({"sources": [{"url": "u", "title": "t"}]}, r"0\.accessed: Field required"),
    "next seq": ({"target": 13}, "--target 13: there is no such entry; the log has 13, counted from 0"),
    "negative seq": ({"rebuttal_to": -1}, "--rebuttal-to -1: there is no such entry"),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return staged(tmp_path_factory.mktemp("outside"))


@pytest.mark.parametrize(("fields", "why"), REFUSED.values(), ids=REFUSED)
def test_refusals_say_why_and_write_nothing(finished: moot.Run, fields: dict[str, Any], why: str) -> None:
    before = finished.log_path.read_bytes()
    with pytest.raises(moot.ConfigError, match=why):
        append(finished, **fields)
    assert finished.log_path.read_bytes() == before
