"""Forks share a debate up to an entry and go their own way from there; other models may speak in them."""

from pathlib import Path

import pytest

import moot
from moot.engine.play.agent import part_of
from moot.record.payloads import Switch
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import (
    answer_for,
    assert_sound,
    calls_of,
    full_script,
    play,
    said,
    small_config,
    staged,
    take_up,
)
from tests.kit.processes import MOMENTS, in_process

TURNS = 2
ENTRIES = 4 * TURNS + 5
OTHER = "scripted/other"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return staged(tmp_path_factory.mktemp("original"), TURNS)


def other_words(request: moot.Request) -> Scripted:
    """What is said in a fork: valid, and nowhere what was said before."""
    match request.key.split("/"):
        case [_, "score", _]:
            return {"score": 1, "reasoning": f"Anew: {request.key}"}
        case [_, "extract"]:
            return {"winner": "Bo", "scores": {"Ada": 2, "Bo": 3}}
        case [_, "confirm"]:
            return "Bo"
        case [_, "announce"]:
            return answer_for("Bo", "No, on second thoughts.")
        case _:
            return f"Anew: {request.key}\nIn two lines."


def files(run: moot.Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.path.iterdir()}


def switches(run: moot.Run) -> list[Switch]:
    return [entry.data for entry in run.entries() if isinstance(entry.data, Switch)]


@pytest.mark.parametrize("at", range(ENTRIES))
def test_a_fork_at_every_entry(original: moot.Run, tmp_path: Path, at: int) -> None:
    entries, before = original.entries(), files(original)
    twin = moot.fork(original, at, out=str(tmp_path))
    inherited = twin.records()
    model = ScriptedModel(other_words)
    result = take_up(twin, model)
    assert result.status == "done"
    assert said(twin.entries()[: at + 1]) == said(entries[: at + 1])
    # Everything after that is asked for, once, and nothing before it.
    told = {entry.call for entry in entries[: at + 1]}
    asked = [request.key for request in model.requests]
    assert not told & set(asked)
    assert {entry.call for entry in entries[at + 1 :]} <= set(asked)
    assert sorted([*asked, *(one.key for one in inherited if one.kind == "reply")]) == sorted(full_script(TURNS))
    assert all(entry.call in asked for entry in twin.entries()[at + 1 :])
    assert result.spent.calls == len(asked)
    assert_sound(twin)
    assert files(original) == before


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_fork_is_there_whole_or_not_at_all(original: moot.Run, tmp_path: Path, moment: str) -> None:
    in_process("fork", original.path, tmp_path, 9, moment)
    steps = sorted(tmp_path.iterdir())
    whole = moot.fork(original, 9, out=str(tmp_path / "whole"))
    assert len(steps) > len(whole.records())
    for step in steps:
        for twin in moot.list_runs(str(step)):
            assert twin.records() == whole.records()
            assert twin.config.origin == whole.config.origin
    assert sum(len(moot.list_runs(str(step))) for step in steps) in (1, 2)


@pytest.mark.parametrize("at", [-1, ENTRIES, ENTRIES + 1])
def test_there_is_no_fork_where_there_is_no_entry(original: moot.Run, tmp_path: Path, at: int) -> None:
    with pytest.raises(moot.ConfigError, match=f"cannot be forked at {at}: it has {ENTRIES} entries, counted from 0"):
        moot.fork(original, at, out=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_entries_from_outside_stay_with_the_original(tmp_path: Path) -> None:
    run = staged(tmp_path / "one")
    seq = moot.append_outside(run, phase="verdict", speaker="Zoe", type="note", content="Well.")
    twin = moot.fork(run, seq, out=str(tmp_path / "two"))
    assert take_up(twin, ScriptedModel({})).status == "done"
    assert said(twin.entries()) == said(run.entries()[:-1])
    assert_sound(twin)


@pytest.mark.parametrize("calls", range(0, calls_of(2), 3))
def test_going_on_with_another_model_is_recorded(tmp_path: Path, calls: int) -> None:
    run = moot.find_run(play(small_config(tmp_path, max_calls=calls), ScriptedModel(full_script(2))).run)
    header = said(run.entries()[:1])
    other = ScriptedModel(other_words, name=OTHER)
    assert take_up(run, other, model=OTHER, max_calls=50).status == "done"
    # The header tells how the run was set up, and the switches what became of it.
    assert said(run.entries()[:1]) == header
    speak = {part_of(request.agent) for request in other.requests}
    names = {"A": "Ada", "B": "Bo", "judge": "Kim"}
    assert sorted(one.agent for one in switches(run)) == sorted(names[part] for part in speak)
    assert_sound(run)
    # Taken up once more without saying so, nobody goes back: there is nothing left to ask.
    assert take_up(run, ScriptedModel({}), max_calls=50).status == "done"
    assert_sound(run)
