"""Small context windows: what does not fit gives way to a summary, and all of it is on record."""

import shutil
from pathlib import Path

import pytest

import moot
from moot.engine.play.limits import token_bound
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import assert_sound, full_script, play, said, small_config, take_up
from tests.kit.examples import tries

TURNS = 4
WINDOWS = [1300, 1600, 2000]


def talk(request: moot.Request) -> Scripted:
    """Long replies, short summaries, and a judge who has to be asked for the second score again."""
    if request.key.endswith("/summary"):
        return f"Summed up for {request.key}."
    if request.key == "judge/score/2" and "cannot be used" not in request.messages[-1].content:
        return "Seven, I should say."
    reply = full_script(TURNS)[request.key]
    assert not isinstance(reply, list)
    return reply + " word" * 60 if isinstance(reply, str) and request.key != "judge@verdict/confirm" else reply


def talked(folder: Path, window: int) -> tuple[moot.Run, ScriptedModel]:
    model = ScriptedModel(talk, context_window=window)
    result = play(small_config(folder, TURNS), model)
    assert result.status == "done", result.reason
    return moot.find_run(result.run), model


def summaries(run: moot.Run) -> list[moot.Entry]:
    return [entry for entry in run.entries() if entry.type == "summary"]


@pytest.mark.parametrize("window", WINDOWS)
def test_every_request_fits(tmp_path: Path, window: int) -> None:
    run, model = talked(tmp_path, window)
    assert summaries(run)
    for request in model.requests:
        assert token_bound(request.messages) <= window
    assert_sound(run)


@pytest.mark.parametrize("window", WINDOWS)
def test_what_an_agent_has_seen_is_what_it_was_sent(tmp_path: Path, window: int) -> None:
    run, model = talked(tmp_path, window)
    sent = {request.key: request.messages for request in model.requests}
    replies = {record.key: record.reply or "" for record in run.records()}
    parts = {"Ada": "A", "Bo": "B", "Kim": "judge"}
    last: dict[str, str] = {}
    for entry in run.entries():
        if entry.call is not None:
            last[entry.speaker] = entry.call
        for name, part in parts.items():
            seen = moot.seen_by(run, name, entry.seq)
            assert seen == moot.seen_by(run, part, entry.seq)
            key = last.get(name)
            assert seen == ([*sent[key], moot.Message("assistant", replies[key])] if key else [])


@pytest.mark.parametrize("window", [min(WINDOWS), max(WINDOWS)])
def test_a_run_cut_anywhere_condenses_the_same_again(tmp_path: Path, window: int) -> None:
    whole, model = talked(tmp_path / "whole", window)
    lines, asked = whole.journal_path.read_bytes().splitlines(keepends=True), len(model.requests)
    for length in range(window % 3, len(lines), max(1, 3 // tries(1))):
        run = moot.Run(tmp_path / f"{length}")
        run.path.mkdir()
        shutil.copy(whole.path / "config.yaml", run.path)
        run.journal_path.write_bytes(b"".join(lines[:length]))
        paid = sum(record.kind == "reply" for record in run.records())
        rest = ScriptedModel(talk, context_window=window)
        assert take_up(run, rest, reports=False).status == "done"
        assert len(rest.requests) == asked - paid
        assert said(run.entries()) == said(whole.entries())
        assert_sound(run)


@pytest.mark.parametrize("window", [60, 300, 450])
def test_a_window_too_small_for_anything_stops_the_debate(tmp_path: Path, window: int) -> None:
    result = play(small_config(tmp_path, TURNS), ScriptedModel(talk, context_window=window))
    run = moot.find_run(result.run)
    assert result.status == "failed"
    assert result.reason is not None and f"do not fit into the {window}" in result.reason
    assert_sound(run)
    assert take_up(run, ScriptedModel(talk)).status == "done"
    assert_sound(run)


def test_a_larger_window_ends_the_condensing(tmp_path: Path) -> None:
    model = ScriptedModel(talk, context_window=1300)
    run = moot.find_run(play(small_config(tmp_path, TURNS, max_calls=20), model).run)
    before = len(summaries(run))
    assert before
    larger = ScriptedModel(talk, name="scripted/larger", context_window=100_000)
    assert take_up(run, larger, model=larger.name, max_calls=100).status == "done"
    # One that had begun is finished, since it is on record what was to be replaced.
    assert len(summaries(run)) <= before + 3
    assert_sound(run)
