"""Arguments taken from any debate: each anchored to words that are there, nothing paid for twice."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.argument import formats
from moot.argument.extract import Extraction
from moot.errors import LimitReached
from moot.runs.export import GRAPHS
from moot.testing import ScriptedModel
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound, staged
from tests.kit.persuasions import persuade

GOOD = {"entry": 4, "quote": "Statement 1, by A. In two lines.", "claim": "A has a statement."}
ALSO = {"entry": 8, "quote": "Statement 2, by B.\nIn two lines.", "claim": "B has one, too."}
WRONG = {"entry": 4, "quote": "Statement 1, by somebody else.", "claim": "Invented."}
LINKS = {"relations": [{"source": "A2", "target": "A1", "kind": "rebut"}]}


def extract(run: moot.Run, script: dict[str, Any], **changes: Any) -> tuple[Extraction, ScriptedModel]:
    model = ScriptedModel(script)
    return asyncio.run(moot.extract(run, models={model.name: model}, model=model.name, **changes)), model


@pytest.fixture
def run(tmp_path: Path) -> moot.Run:
    run = staged(tmp_path)
    turns = [entry for entry in run.entries() if entry.type == "turn"]
    assert [entry.seq for entry in turns] == [4, 8]
    return run


def test_arguments_are_anchored_in_the_entries_they_quote(run: moot.Run) -> None:
    found, model = extract(run, {"extractor@1/read": {"arguments": [GOOD, ALSO]}, "extractor@links/relate": LINKS})
    entries = {entry.seq: entry for entry in run.entries()}
    for one in found.arguments:
        assert entries[one.entry].content[one.start : one.end] == one.quote
        assert one.speaker == entries[one.entry].speaker
    assert [(one.name, one.entry, one.text) for one in found.arguments] == [
        ("A1", 4, "A has a statement."),
        ("A2", 8, "B has one, too."),
    ]
    assert (found.refused, found.failures, found.calls) == ([], [], 2)
    graph = formats.read(run.path / "arguments.json")
    assert graph.names == ("A1", "A2")
    assert graph.attacks == ((1, 0),)
    anchors = json.loads((run.path / "arguments-anchors.json").read_text("utf-8"))
    assert anchors["arguments"][0]["quote"] == found.arguments[0].quote
    private = [entry.content for entry in run.entries() if entry.to != "all"]
    sent = str([request.messages for request in model.requests])
    assert not [text for text in private if text in sent], "what was private is not read"
    assert_sound(run)


def test_an_argument_is_related_to_another_in_one_way(run: moot.Run) -> None:
    both = {"relations": [{"source": "A2", "target": "A1", "kind": kind} for kind in ("rebut", "undercut", "support")]}
    script = {"extractor@1/read": {"arguments": [GOOD, ALSO]}, "extractor@links/relate": [both] * 3}
    found, model = extract(run, script)
    again = [one for one in model.requests if one.key == "extractor@links/relate"]
    assert "A2 is related to A1 in two ways" in again[1].messages[-1].content
    assert [(one.source, one.target, one.kind) for one in found.relations] == [("A2", "A1", "rebut")]
    assert found.refused == ["A2 undercuts A1: it rebuts it already", "A2 supports A1: it rebuts it already"]
    assert moot.contest(run, reject=["A2:A1:rebut"]).contest.after["A1"] == 0.5


def test_words_that_are_not_in_the_entry_go_back_and_are_then_refused(run: moot.Run) -> None:
    script: dict[str, Any] = {
        "extractor@1/read": [
            {"arguments": [WRONG, {**WRONG, "entry": 77}, ALSO]},
            {"arguments": [WRONG, ALSO]},
        ]
    }
    found, model = extract(run, script)
    assert "entry 4 does not say" in model.requests[1].messages[-1].content
    assert "there is no entry 77" in model.requests[1].messages[-1].content
    assert [one.entry for one in found.arguments] == [8]
    assert len(found.refused) == 1
    assert "Invented." in found.refused[0]


def test_what_cannot_be_had_is_told(run: moot.Run) -> None:
    found, _ = extract(run, {"extractor@1/read": ["?", "?", "?"]})
    assert found.arguments == []
    assert "no usable reply" in found.failures[0]


def test_it_is_taken_up_where_it_stopped(run: moot.Run) -> None:
    with pytest.raises(LimitReached):
        extract(run, {"extractor@1/read": {"arguments": [GOOD, ALSO]}}, max_calls=1)
    found, model = extract(run, {"extractor@links/relate": LINKS})
    assert [request.key for request in model.requests] == ["extractor@links/relate"], "no reply is paid for twice"
    assert len(found.arguments) == 2


def test_the_command_and_the_export_of_what_it_found(run: moot.Run) -> None:
    assert "moot argue extract" in command("export", str(run.path), "--to", "dot").err
    script = run.path.parent / "replies.json"
    script.write_text(json.dumps({"extractor@1/read": {"arguments": [GOOD, ALSO]}, "extractor@links/relate": LINKS}))
    told = command("argue", "extract", str(run.path), "-m", f"scripted/{script}")
    assert told.code == 0, told.err
    assert "A1  entry 4, Ada: A has a statement." in told.out
    assert "A2 rebuts A1" in told.out
    assert command("export", str(run.path), "--to", "tgf").out.startswith("A1 A has a statement.\nA2")


def test_a_persuasion_dialogue_is_exported_in_every_form(tmp_path: Path) -> None:
    run = moot.find_run(persuade(tmp_path)[0].run)
    for form in GRAPHS:
        told = command("export", str(run.path), "--to", form)
        assert told.code == 0
        if (name := "json" if form == "graph" else form) in formats.READABLE:
            graph = formats.read(told.out, name)
            assert (len(graph), len(graph.attacks)) == (6, 1), form
    assert "undercut" in command("export", str(run.path), "--to", "apx").err, "what a form cannot hold is said"
